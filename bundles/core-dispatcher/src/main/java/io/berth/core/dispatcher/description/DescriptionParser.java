package io.berth.core.dispatcher.description;

import io.berth.core.api.access.User;
import io.berth.core.api.access.UserRole;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.process.ProcessSettings;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionNode.Mapping;
import io.berth.core.dispatcher.description.DescriptionNode.Scalar;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Parses the text of a job description into a checked draft with all defaults filled in. It reports as many problems
 * as possible at once, and returns a draft only when there are none. docs/job-description.md and docs/job.schema.json
 * describe the same language. For one description and one thread.
 */
public final class DescriptionParser {

    static final int MAX_PARALLELISM = 32_768;
    static final int MAX_VERTICES = 1000;
    static final int MAX_EDGES = 10_000;
    static final int MAX_GROUPS = 100;
    static final int MAX_BUNDLES = 32;
    static final int MAX_PROBLEMS = 100;
    /** Ten years. */
    private static final long MAX_RUNTIME_MILLIS = 3_650L * 86_400_000;

    static final String DEFAULT_GROUP = "default";

    static final List<String> JOB_FIELDS = List.of(
            "name",
            "queue",
            "pool",
            "submitter",
            "priority",
            "expectedRuntime",
            "labels",
            "policies",
            "bundles",
            "vertices",
            "edges",
            "slotSharingGroups");
    static final List<String> VERTEX_FIELDS = List.of(
            "name", "runtime", "operator", "parallelism", "maxParallelism", "slotSharingGroup", "configuration");
    static final List<String> PARALLELISM_FIELDS = List.of("min", "desired", "max");
    static final List<String> EDGE_FIELDS = List.of("from", "to", "partitioning", "input", "output", "exchange");
    static final List<String> GROUP_FIELDS =
            List.of("name", "cpu", "heap", "offHeap", "managed", "extended", "constraints");
    static final List<String> PARTITIONINGS = List.of("forward", "rebalance", "hash", "broadcast");
    static final List<String> EXCHANGES = List.of("pipelined", "blocking");

    private static final String DEFAULT_POOL = "default";
    private static final int DEFAULT_KEY_GROUPS = 128;

    private final JobCatalog catalog;
    private final Optional<User> user;
    private final List<Problem> problems = new ArrayList<>();

    private DescriptionParser(JobCatalog catalog, Optional<User> user) {
        this.catalog = catalog;
        this.user = user;
    }

    private static List<Problem> shortened(List<Problem> problems) {
        List<Problem> first = new ArrayList<>(problems.subList(0, MAX_PROBLEMS));
        first.add(new Problem("", (problems.size() - MAX_PROBLEMS) + " more problems", "none"));
        return List.copyOf(first);
    }

    /** A draft, or the problems. */
    public record ParseOutcome(Optional<JobDraft> draft, List<Problem> problems) {
        public ParseOutcome {
            problems = problems.size() <= MAX_PROBLEMS ? List.copyOf(problems) : shortened(problems);
        }
    }

    /** As {@link #parse(String, JobCatalog, Optional)}, by someone who is not known. */
    public static ParseOutcome parse(String text, JobCatalog catalog) {
        return parse(text, catalog, Optional.empty());
    }

    /** @param user who submits it, if users are known */
    public static ParseOutcome parse(String text, JobCatalog catalog, Optional<User> user) {
        DescriptionReader.ReadOutcome read = DescriptionReader.read(text);
        if (read.root().isEmpty()) {
            return new ParseOutcome(Optional.empty(), read.problems());
        }
        DescriptionParser parser = new DescriptionParser(catalog, user);
        parser.problems.addAll(read.problems());
        JobDraft draft = parser.job(read.root().get());
        return new ParseOutcome(parser.problems.isEmpty() ? Optional.of(draft) : Optional.empty(), parser.problems);
    }

    private JobDraft job(DescriptionNode root) {
        Fields job = Fields.of("", root, JOB_FIELDS, problems);
        if (!(root instanceof Mapping)) {
            return new JobDraft(
                    "", SchedulingAttributes.DEFAULT, new TreeMap<>(), List.of(), List.of(), List.of(), List.of());
        }
        String name = job.requiredName("name").orElse("");
        SchedulingAttributes attributes = attributes(job);
        SortedMap<PolicyKind, PolicyChoice> policies = new PolicyChoices(catalog.policies(), problems).of(job);
        List<StoredBundle> bundles = bundles(job);
        Map<String, Optional<SlotSharingGroup>> groups = groups(job);
        List<VertexAt> vertices = vertices(job);
        List<EdgeAt> edges = edges(job);
        GraphChecks checks = new GraphChecks(vertices, edges, catalog.tasksMax(), problems);
        checks.check();
        OperatorChecks operators = new OperatorChecks(vertices, bundles, problems);
        operators.check();
        checks.checkKeyed(operators.keyed());
        new EdgeEnds(vertices, edges, operators.all(), problems).check();
        checkGroups(vertices, groups);
        return new JobDraft(
                name,
                attributes,
                policies,
                bundles.stream().map(StoredBundle::ref).toList(),
                checks.topologicalOrder(),
                edges.stream().map(EdgeAt::edge).toList(),
                usedGroups(vertices, groups));
    }

    private SchedulingAttributes attributes(Fields job) {
        String pool = job.name("pool").orElse(DEFAULT_POOL);
        List<String> pools = catalog.policies().pools();
        if (!pools.contains(pool)) {
            job.problem("pool", "'" + pool + "'", "a pool that is configured: " + String.join(", ", pools));
        }
        String queue = job.name("queue").orElse("default");
        String submitter = submitter(job);
        catalog.policies()
                .queueRefusal(pool, queue, submitter)
                .ifPresent(allowed -> job.problem("queue", "'" + queue + "'", allowed));
        return new SchedulingAttributes(
                pool,
                queue,
                submitter,
                job.integer("priority", -1000, 1000).orElse(0),
                job.duration("expectedRuntime", MAX_RUNTIME_MILLIS).orElse(0L),
                0,
                job.pairs("labels"));
    }

    /** Who submits it, unless the description names someone for whom the user may submit. */
    private String submitter(Fields job) {
        Optional<String> named = job.name("submitter");
        if (user.isEmpty()) {
            return named.orElse("");
        }
        User submitting = user.get();
        String submitter = named.orElse(submitting.name());
        if (!submitting.mayChangeJobOf(submitter)) {
            job.problem(
                    "submitter",
                    "'" + submitter + "'",
                    "'" + submitting.name() + "', who submits it; others need the role " + UserRole.OPERATOR.label());
        }
        return submitter;
    }

    /** A vertex and its path in the description. Values that could not be read have their defaults. */
    record VertexAt(String path, JobVertex vertex, boolean boundsKnown) {}

    /** An edge and its path in the description. */
    record EdgeAt(String path, JobEdge edge) {}

    private List<StoredBundle> bundles(Fields job) {
        List<StoredBundle> bundles = new ArrayList<>();
        Map<String, String> bySymbolicName = new TreeMap<>();
        List<DescriptionNode> items = job.list("bundles", 0, MAX_BUNDLES);
        for (int i = 0; i < items.size(); i++) {
            String path = "bundles[" + i + "]";
            String given = items.get(i) instanceof Scalar scalar ? scalar.text() : "";
            if (!given.matches("[0-9a-f]{64}")) {
                problems.add(new Problem(
                        path,
                        items.get(i).given(),
                        "the SHA-256 of a stored bundle, 64 hexadecimal digits in lower case. A path is written"
                                + " file:x.jar, without a space: 'berth run' uploads such a bundle, and"
                                + " 'berth:job-submit -b x.jar' does so in the Karaf shell"));
                continue;
            }
            Optional<StoredBundle> stored = catalog.bundle(given);
            if (stored.isEmpty()) {
                problems.add(new Problem(path, given, "a stored bundle; upload it with PUT /v1/bundles/" + given));
                continue;
            }
            String key = stored.get().symbolicName() + " " + stored.get().version();
            String other = bySymbolicName.putIfAbsent(key, path);
            if (other != null) {
                problems.add(new Problem(
                        path, "bundle " + key + " again", "each bundle once; " + other + " is the same bundle"));
                continue;
            }
            bundles.add(stored.get());
        }
        return bundles;
    }

    private Map<String, Optional<SlotSharingGroup>> groups(Fields job) {
        Map<String, Optional<SlotSharingGroup>> groups = new LinkedHashMap<>();
        List<DescriptionNode> items = job.list("slotSharingGroups", 0, MAX_GROUPS);
        for (int i = 0; i < items.size(); i++) {
            String path = "slotSharingGroups[" + i + "]";
            Fields group = Fields.of(path, items.get(i), GROUP_FIELDS, problems);
            Optional<String> name = group.requiredName("name");
            PlacementConstraints constraints = new ConstraintsParser(problems).parse(group);
            // A group that only says where its slots may be leaves their size to the workers.
            Optional<ResourceProfile> profile = group.has("constraints") && !ProfileParser.isGiven(group)
                    ? Optional.of(ResourceProfile.UNKNOWN)
                    : ProfileParser.parse(group);
            if (name.isPresent()
                    && groups.putIfAbsent(
                                    name.get(), profile.map(p -> new SlotSharingGroup(name.get(), p, constraints)))
                            != null) {
                group.problem("name", "'" + name.get() + "' again", "each group once");
            }
        }
        return groups;
    }

    private List<VertexAt> vertices(Fields job) {
        List<VertexAt> vertices = new ArrayList<>();
        List<DescriptionNode> items = job.list("vertices", 1, MAX_VERTICES);
        for (int i = 0; i < items.size(); i++) {
            String path = "vertices[" + i + "]";
            Fields vertex = Fields.of(path, items.get(i), VERTEX_FIELDS, problems);
            int before = problems.size();
            int[] bounds = parallelism(vertex);
            int keyGroups = vertex.integer("maxParallelism", 1, MAX_PARALLELISM).orElse(defaultKeyGroups(bounds[2]));
            boolean boundsKnown = problems.size() == before;
            if (boundsKnown && bounds[2] > keyGroups) {
                vertex.problem(
                        "maxParallelism",
                        Integer.toString(keyGroups),
                        "at least the largest parallelism, " + bounds[2] + ", and at most " + MAX_PARALLELISM);
            }
            String name = vertex.requiredName("name").orElse("");
            String runtime = runtime(vertex);
            String operator = operator(vertex, runtime);
            String group = vertex.name("slotSharingGroup").orElse(DEFAULT_GROUP);
            vertices.add(new VertexAt(
                    path,
                    new JobVertex(
                            name,
                            runtime,
                            operator,
                            bounds[0],
                            bounds[1],
                            bounds[2],
                            keyGroups,
                            group,
                            vertex.pairs("configuration")),
                    boundsKnown));
        }
        return vertices;
    }

    private String runtime(Fields vertex) {
        List<String> known = catalog.runtimes();
        Optional<String> runtime = vertex.name("runtime");
        runtime.filter(given -> !known.contains(given)).ifPresent(given -> {
            String hint = NearestName.of(given, known)
                    .map(near -> "did you mean '" + near + "'? ")
                    .orElse("");
            vertex.problem(
                    "runtime",
                    "'" + given + "'",
                    hint + "one of " + String.join(", ", known) + "; task.runtimes of the Dispatcher names more");
        });
        return runtime.filter(known::contains).orElse(JobVertex.DATAFLOW);
    }

    /** Runtimes that have no operators are their own. */
    private static String operator(Fields vertex, String runtime) {
        if (runtime.equals(ProcessSettings.RUNTIME)) {
            vertex.find("operator")
                    .ifPresent(given -> vertex.problem(
                            "operator",
                            given.given(),
                            "no operator with the runtime process: its configuration names a command or script"));
            return runtime;
        }
        if (JobCatalog.BUILT_IN_RUNTIMES.contains(runtime) || vertex.has("operator")) {
            return vertex.requiredName("operator").orElse("");
        }
        return runtime;
    }

    private static int defaultKeyGroups(int maximum) {
        return maximum <= DEFAULT_KEY_GROUPS ? DEFAULT_KEY_GROUPS : Math.min(MAX_PARALLELISM, maximum * 2);
    }

    /** Returns minimum, desired and maximum. */
    private int[] parallelism(Fields vertex) {
        Optional<DescriptionNode> node = vertex.find("parallelism");
        if (node.isEmpty()) {
            return new int[] {1, 1, 1};
        }
        if (!(node.get() instanceof Mapping)) {
            int fixed = node.get() instanceof Scalar
                    ? vertex.integer("parallelism", 1, MAX_PARALLELISM).orElse(1)
                    : 1;
            if (!(node.get() instanceof Scalar)) {
                vertex.problem("parallelism", node.get().given(), "a whole number or a mapping of min, desired, max");
            }
            return new int[] {fixed, fixed, fixed};
        }
        Fields range = Fields.of(vertex.path("parallelism"), node.get(), PARALLELISM_FIELDS, problems);
        int before = problems.size();
        Optional<Integer> min = range.integer("min", 1, MAX_PARALLELISM);
        Optional<Integer> desired = range.integer("desired", 1, MAX_PARALLELISM);
        Optional<Integer> max = range.integer("max", 1, MAX_PARALLELISM);
        if (problems.size() > before) {
            return new int[] {1, 1, 1};
        }
        if (min.isEmpty() && desired.isEmpty() && max.isEmpty()) {
            vertex.problem("parallelism", "empty", "at least one of min, desired, max");
        }
        int least = min.orElse(1);
        int wanted = desired.or(() -> max).orElse(least);
        int most = max.orElse(wanted);
        if (least > wanted) {
            range.problem("min", Integer.toString(least), "at most desired, " + wanted);
        }
        if (wanted > most) {
            range.problem("desired", Integer.toString(wanted), "at most max, " + most);
        }
        return new int[] {least, wanted, most};
    }

    private List<EdgeAt> edges(Fields job) {
        List<EdgeAt> edges = new ArrayList<>();
        List<DescriptionNode> items = job.list("edges", 0, MAX_EDGES);
        for (int i = 0; i < items.size(); i++) {
            String path = "edges[" + i + "]";
            Fields edge = Fields.of(path, items.get(i), EDGE_FIELDS, problems);
            Optional<String> from = edge.requiredName("from");
            Optional<String> to = edge.requiredName("to");
            if (!edge.has("partitioning")) {
                edge.problem("partitioning", "missing", "one of " + String.join(", ", PARTITIONINGS));
            }
            Optional<String> partitioning = edge.choice("partitioning", PARTITIONINGS);
            Exchange exchange = edge.has("exchange")
                    ? edge.choice("exchange", EXCHANGES)
                            .map(given -> Exchange.valueOf(given.toUpperCase(Locale.ROOT)))
                            .orElse(Exchange.PIPELINED)
                    : Exchange.PIPELINED;
            if (from.isPresent() && to.isPresent()) {
                // An unreadable partitioning is taken as hash, which sets no conditions for its ends.
                Partitioning kind =
                        Partitioning.valueOf(partitioning.orElse("hash").toUpperCase(Locale.ROOT));
                int input = edge.integer("input", 1, 2).orElse(1);
                String output = edge.name("output").orElse("");
                edges.add(new EdgeAt(path, new JobEdge(from.get(), to.get(), kind, exchange, input, output)));
            }
        }
        return edges;
    }

    private void checkGroups(List<VertexAt> vertices, Map<String, Optional<SlotSharingGroup>> groups) {
        List<String> used =
                vertices.stream().map(at -> at.vertex().group()).distinct().toList();
        for (VertexAt at : vertices) {
            String group = at.vertex().group();
            if (!group.equals(DEFAULT_GROUP) && !groups.containsKey(group)) {
                problems.add(new Problem(
                        at.path() + ".slotSharingGroup",
                        "'" + group + "'",
                        groups.isEmpty()
                                ? "a group of slotSharingGroups; the job has none"
                                : "one of " + String.join(", ", groups.keySet())));
            }
        }
        int index = 0;
        for (String group : groups.keySet()) {
            if (!used.contains(group)) {
                problems.add(new Problem(
                        "slotSharingGroups[" + index + "]",
                        "'" + group + "', which no vertex uses",
                        "groups that a vertex names in slotSharingGroup"));
            }
            index++;
        }
    }

    private static List<SlotSharingGroup> usedGroups(
            List<VertexAt> vertices, Map<String, Optional<SlotSharingGroup>> groups) {
        List<SlotSharingGroup> all = new ArrayList<>();
        groups.values().forEach(group -> group.ifPresent(all::add));
        boolean defaultUsed =
                vertices.stream().anyMatch(at -> at.vertex().group().equals(DEFAULT_GROUP));
        if (defaultUsed && !groups.containsKey(DEFAULT_GROUP)) {
            all.add(new SlotSharingGroup(DEFAULT_GROUP, ResourceProfile.UNKNOWN));
        }
        return all;
    }
}
