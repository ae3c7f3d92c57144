package io.berth.core.dispatcher.store;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.dispatcher.store.RecordReader.UnreadableRecordException;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads and writes the graph of a job, as part of a record of {@link LiveJob}. */
final class GraphRecords {

    private GraphRecords() {}

    static void write(RecordWriter out, JobGraph graph) {
        out.text(graph.id().value());
        out.text(graph.name());
        out.number(graph.submissionIndex());
        SchedulingAttributes attributes = graph.attributes();
        out.text(attributes.queue());
        out.text(attributes.pool());
        out.number(attributes.priority());
        pairs(out, attributes.labels());
        out.text(attributes.submitter());
        out.number(attributes.expectedRuntimeMillis());
        out.count(attributes.runtimeLearnedFrom());
        out.list(graph.policies().entrySet(), (record, choice) -> {
            record.text(choice.getKey().label());
            record.text(choice.getValue().selector());
            pairs(record, choice.getValue().parameters());
        });
        out.list(graph.bundles(), (record, bundle) -> {
            record.text(bundle.sha256());
            record.number(bundle.size());
        });
        out.list(graph.vertices(), GraphRecords::vertex);
        out.list(graph.edges(), (record, edge) -> {
            record.text(edge.from());
            record.text(edge.to());
            record.text(edge.partitioning().name());
            record.text(edge.exchange().name());
            record.count(edge.input());
            record.text(edge.output());
        });
        out.list(graph.groups(), (record, group) -> {
            record.text(group.name());
            profile(record, group.profile());
            constraints(record, group.constraints());
        });
        out.number(graph.revision());
    }

    static JobGraph read(RecordReader in) throws UnreadableRecordException {
        JobId id = new JobId(in.text());
        String name = in.text();
        long index = in.number();
        String queue = in.text();
        String pool = in.text();
        int priority = Math.toIntExact(in.number());
        SortedMap<String, String> labels = pairs(in);
        String submitter = in.isSince(4) ? in.text() : "";
        long expectedRuntimeMillis = in.isSince(4) ? in.number() : 0;
        int runtimeLearnedFrom = in.isSince(6) ? in.count() : 0;
        SortedMap<PolicyKind, PolicyChoice> policies = new TreeMap<>();
        for (Map.Entry<PolicyKind, PolicyChoice> choice :
                in.list(record -> Map.entry(kind(record.text()), choice(record)))) {
            policies.put(choice.getKey(), choice.getValue());
        }
        List<BundleRef> bundles = in.list(record -> new BundleRef(record.text(), record.number()));
        List<JobVertex> vertices = in.list(GraphRecords::vertex);
        List<JobEdge> edges = in.list(record -> new JobEdge(
                record.text(),
                record.text(),
                Partitioning.valueOf(record.text()),
                record.isSince(9) ? Exchange.valueOf(record.text()) : Exchange.PIPELINED,
                record.isSince(9) ? record.count() : 1,
                record.isSince(9) ? record.text() : ""));
        List<SlotSharingGroup> groups = in.list(record -> new SlotSharingGroup(
                record.text(), profile(record), record.isSince(3) ? constraints(record) : PlacementConstraints.NONE));
        SchedulingAttributes attributes = new SchedulingAttributes(
                pool, queue, submitter, priority, expectedRuntimeMillis, runtimeLearnedFrom, labels);
        long revision = in.isSince(7) ? in.number() : 1;
        return new JobGraph(id, name, index, attributes, policies, bundles, vertices, edges, groups, revision);
    }

    private static void vertex(RecordWriter out, JobVertex vertex) {
        out.text(vertex.name());
        out.text(vertex.operator());
        out.count(vertex.minimum());
        out.count(vertex.desired());
        out.count(vertex.maximum());
        out.count(vertex.maxParallelism());
        out.text(vertex.group());
        pairs(out, vertex.configuration());
        out.text(vertex.runtime());
    }

    private static JobVertex vertex(RecordReader in) throws UnreadableRecordException {
        String name = in.text();
        String operator = in.text();
        int minimum = in.count();
        int desired = in.count();
        int maximum = in.count();
        int maxParallelism = in.count();
        String group = in.text();
        SortedMap<String, String> configuration = pairs(in);
        String runtime = in.isSince(9) ? in.text() : JobVertex.DATAFLOW;
        return new JobVertex(name, runtime, operator, minimum, desired, maximum, maxParallelism, group, configuration);
    }

    private static PolicyChoice choice(RecordReader in) throws UnreadableRecordException {
        return new PolicyChoice(in.text(), in.isSince(3) ? pairs(in) : new TreeMap<>());
    }

    private static void profile(RecordWriter out, ResourceProfile profile) {
        out.flag(profile.isUnknown());
        if (profile.isUnknown()) {
            return;
        }
        out.number(profile.cpuMillis());
        out.number(profile.heapBytes());
        out.number(profile.offHeapBytes());
        out.number(profile.managedBytes());
        out.list(profile.extended().entrySet(), (record, resource) -> {
            record.text(resource.getKey());
            record.number(resource.getValue());
        });
    }

    private static ResourceProfile profile(RecordReader in) throws UnreadableRecordException {
        if (in.flag()) {
            return ResourceProfile.UNKNOWN;
        }
        long cpu = in.number();
        long heap = in.number();
        long offHeap = in.number();
        long managed = in.number();
        SortedMap<String, Long> extended = new TreeMap<>();
        for (Map.Entry<String, Long> resource : in.list(record -> Map.entry(record.text(), record.number()))) {
            extended.put(resource.getKey(), resource.getValue());
        }
        return new ResourceProfile(cpu, heap, offHeap, managed, extended);
    }

    private static void constraints(RecordWriter out, PlacementConstraints constraints) {
        out.list(constraints.require(), GraphRecords::rule);
        out.list(constraints.prefer(), (record, preference) -> {
            rule(record, preference.rule());
            record.count(preference.weight());
        });
        pairs(out, constraints.tolerate());
        out.list(constraints.spread().stream().toList(), (record, spread) -> {
            record.text(spread.label());
            record.count(spread.maxSkew());
        });
    }

    private static PlacementConstraints constraints(RecordReader in) throws UnreadableRecordException {
        return new PlacementConstraints(
                in.list(GraphRecords::rule),
                in.list(record -> new Preference(rule(record), record.count())),
                pairs(in),
                in.isSince(5)
                        ? in.list(record -> new Spread(record.text(), record.count())).stream()
                                .findFirst()
                        : Optional.empty());
    }

    private static void rule(RecordWriter out, LabelRule rule) {
        out.text(rule.key());
        out.text(rule.operator().name());
        out.list(rule.values(), RecordWriter::text);
    }

    private static LabelRule rule(RecordReader in) throws UnreadableRecordException {
        return new LabelRule(in.text(), Operator.valueOf(in.text()), in.list(RecordReader::text));
    }

    private static void pairs(RecordWriter out, SortedMap<String, String> pairs) {
        out.list(pairs.entrySet(), (record, pair) -> {
            record.text(pair.getKey());
            record.text(pair.getValue());
        });
    }

    private static SortedMap<String, String> pairs(RecordReader in) throws UnreadableRecordException {
        SortedMap<String, String> pairs = new TreeMap<>();
        for (Map.Entry<String, String> pair : in.list(record -> Map.entry(record.text(), record.text()))) {
            pairs.put(pair.getKey(), pair.getValue());
        }
        return pairs;
    }

    private static PolicyKind kind(String label) throws UnreadableRecordException {
        for (PolicyKind kind : PolicyKind.values()) {
            if (kind.label().equals(label)) {
                return kind;
            }
        }
        throw new UnreadableRecordException("names the policy kind '" + label + "', which this release does not know");
    }
}
