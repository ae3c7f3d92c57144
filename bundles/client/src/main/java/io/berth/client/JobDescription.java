package io.berth.client;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What a job is: the same as a YAML file of docs/job-description.md. The control plane checks it at submission. Immutable.
 *
 * <pre>{@code
 * JobDescription words = JobDescription.named("word-count")
 *         .bundle(Path.of("target/words-1.0.0.jar"))
 *         .vertex("read", "file-source", v -> v.parallelism(1, 4).set("path", "/data/text"))
 *         .vertex("count", "word-count", v -> v.parallelism(1, 4).group("large"))
 *         .vertex("write", "file-sink", v -> v.set("path", "/data/counts"))
 *         .edge("read", "count", Partitioning.HASH)
 *         .edge("count", "write", Partitioning.REBALANCE)
 *         .group("large", g -> g.size(1, "512m"))
 *         .build();
 * }</pre>
 */
public final class JobDescription {

    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** As given, or without bundles of files. */
    private final String text;

    private final List<Path> bundles;
    /** What was built; empty when a text was given. */
    private final Optional<ObjectNode> built;

    private JobDescription(String text, List<Path> bundles, Optional<ObjectNode> built) {
        this.text = text;
        this.bundles = List.copyOf(bundles);
        this.built = built;
    }

    /** A description in YAML or JSON, whose bundles are named by the hashes that {@link BerthClient#storeBundle} returns. */
    public static JobDescription of(String yamlOrJson) {
        return new JobDescription(yamlOrJson, List.of(), Optional.empty());
    }

    /** A builder for a job of this name. */
    public static Builder named(String name) {
        return new Builder(name);
    }

    /** Bundles to store before the job is submitted. */
    List<Path> bundles() {
        return bundles;
    }

    /**
     * The text to submit.
     *
     * @param stored hashes of {@link #bundles}, which were stored
     */
    String text(List<String> stored) {
        if (stored.isEmpty()) {
            return text;
        }
        ObjectNode whole = built.orElseThrow().deepCopy();
        stored.forEach(whole.withArray("bundles")::add);
        return whole.toString();
    }

    boolean isJson() {
        return text.stripLeading().startsWith("{");
    }

    /** The description as text; bundles of files are not in it. */
    @Override
    public String toString() {
        return text;
    }

    /** Collects what a job is. Not thread-safe. */
    public static final class Builder {

        private final ObjectNode job = JSON.objectNode();
        private final List<Path> bundles = new ArrayList<>();

        private Builder(String name) {
            job.put("name", name);
        }

        private ArrayNode list(String field) {
            return job.withArray(field);
        }

        /** A jar with user code, which is stored when the job is submitted. */
        public Builder bundle(Path jar) {
            bundles.add(Objects.requireNonNull(jar));
            return this;
        }

        /** User code that is stored already. */
        public Builder bundle(String sha256) {
            list("bundles").add(sha256);
            return this;
        }

        public Builder queue(String queue) {
            job.put("queue", queue);
            return this;
        }

        public Builder pool(String pool) {
            job.put("pool", pool);
            return this;
        }

        public Builder submitter(String submitter) {
            job.put("submitter", submitter);
            return this;
        }

        /** From -1000 to 1000; larger is more important. */
        public Builder priority(int priority) {
            job.put("priority", priority);
            return this;
        }

        /** How long it should run. Without it, that is learned from earlier runs. */
        public Builder expectedRuntime(Duration runtime) {
            job.put("expectedRuntime", runtime.toMillis() + "ms");
            return this;
        }

        /** A label of the job, for policies and people. */
        public Builder label(String key, String value) {
            job.withObject("/labels").put(key, value);
            return this;
        }

        /** The scaling policy by name, with the default parameters of the cluster. */
        public Builder scaling(String policy) {
            job.withObject("/policies").put("scaling", policy);
            return this;
        }

        /** The scaling policy by name, with parameters for this job. */
        public Builder scaling(String policy, Map<String, String> parameters) {
            ObjectNode chosen = JSON.objectNode().put("name", policy);
            parameters.forEach(chosen::put);
            job.withObject("/policies").set("scaling", chosen);
            return this;
        }

        /** A step with one task. */
        public Builder vertex(String name, String operator) {
            return vertex(name, operator, vertex -> {});
        }

        /** A step. */
        public Builder vertex(String name, String operator, Consumer<Vertex> more) {
            ObjectNode vertex = list("vertices").addObject();
            vertex.put("name", name).put("operator", operator);
            more.accept(new Vertex(vertex));
            return this;
        }

        /** A step whose tasks are processes; its values are those of docs/runtimes.md, such as {@code command}. */
        public Builder process(String name, Consumer<Vertex> more) {
            ObjectNode vertex = list("vertices").addObject();
            vertex.put("name", name).put("runtime", "process");
            more.accept(new Vertex(vertex));
            return this;
        }

        /** What flows from one step to another. */
        public Builder edge(String from, String to, Partitioning partitioning) {
            list("edges").addObject().put("from", from).put("to", to).put("partitioning", partitioning.word());
            return this;
        }

        /** What flows from one step to another, with more to say of the edge. */
        public Builder edge(String from, String to, Partitioning partitioning, Consumer<Edge> more) {
            ObjectNode edge = list("edges").addObject();
            edge.put("from", from).put("to", to).put("partitioning", partitioning.word());
            more.accept(new Edge(edge));
            return this;
        }

        /** Slots with a size of their own, or constraints. */
        public Builder group(String name, Consumer<Group> more) {
            ObjectNode group = list("slotSharingGroups").addObject();
            group.put("name", name);
            more.accept(new Group(group));
            return this;
        }

        public JobDescription build() {
            return new JobDescription(job.toPrettyString(), bundles, Optional.of(job.deepCopy()));
        }
    }

    /** A step of a job. */
    public static final class Vertex {

        private final ObjectNode vertex;

        private Vertex(ObjectNode vertex) {
            this.vertex = vertex;
        }

        /** It always runs at this parallelism. */
        public Vertex parallelism(int tasks) {
            vertex.put("parallelism", tasks);
            return this;
        }

        /** Bounds of its parallelism; the maximum is desired. */
        public Vertex parallelism(int minimum, int maximum) {
            vertex.putObject("parallelism").put("min", minimum).put("max", maximum);
            return this;
        }

        public Vertex parallelism(int minimum, int desired, int maximum) {
            vertex.putObject("parallelism")
                    .put("min", minimum)
                    .put("desired", desired)
                    .put("max", maximum);
            return this;
        }

        /** The number of its key groups, which bounds its parallelism for the life of the job. */
        public Vertex maxParallelism(int keyGroups) {
            vertex.put("maxParallelism", keyGroups);
            return this;
        }

        /** The task runtime that has its operator, such as {@code service}; without it, {@code dataflow}. */
        public Vertex runtime(String runtime) {
            vertex.put("runtime", runtime);
            return this;
        }

        /** The slot sharing group that it runs in. */
        public Vertex group(String slotSharingGroup) {
            vertex.put("slotSharingGroup", slotSharingGroup);
            return this;
        }

        /** A value for its operator. */
        public Vertex set(String key, String value) {
            vertex.withObject("/configuration").put(key, value);
            return this;
        }

        public Vertex set(String key, long value) {
            vertex.withObject("/configuration").put(key, value);
            return this;
        }
    }

    /** What flows from one step to another. */
    public static final class Edge {

        private final ObjectNode edge;

        private Edge(ObjectNode edge) {
            this.edge = edge;
        }

        /**
         * Which input of the consumer it leads to.
         *
         * @param number 1, or 2 of an operator with two inputs
         */
        public Edge input(int number) {
            edge.put("input", number);
            return this;
        }

        /** The consumer begins when the producer has finished, and its result is stored. */
        public Edge blocking() {
            edge.put("exchange", "blocking");
            return this;
        }

        /** The side output of the producer that it begins at, instead of the main one. */
        public Edge output(String sideOutput) {
            edge.put("output", sideOutput);
            return this;
        }
    }

    /** A slot sharing group. */
    public static final class Group {

        private final ObjectNode group;

        private Group(ObjectNode group) {
            this.group = group;
        }

        /**
         * The size of its slots.
         *
         * @param heap a size such as {@code 512m}
         */
        public Group size(double cpu, String heap) {
            group.put("cpu", cpu).put("heap", heap);
            return this;
        }

        public Group offHeap(String size) {
            group.put("offHeap", size);
            return this;
        }

        public Group managed(String size) {
            group.put("managed", size);
            return this;
        }

        /** Of a resource with a name of its own, such as {@code gpu}. */
        public Group extended(String resource, long count) {
            group.withObject("/extended").put(resource, count);
            return this;
        }

        private ObjectNode constraint(String kind) {
            return group.withObject("/constraints").withArray(kind).addObject();
        }

        /** Only workers whose label has one of these values. */
        public Group require(String label, String... values) {
            values(constraint("require").put("label", label).putArray("in"), values);
            return this;
        }

        /** Only workers that have the label. */
        public Group requireLabel(String label) {
            constraint("require").put("label", label).put("exists", true);
            return this;
        }

        /**
         * Rather workers whose label has one of these values.
         *
         * @param weight from 1 to 100
         */
        public Group prefer(int weight, String label, String... values) {
            values(
                    constraint("prefer")
                            .put("label", label)
                            .put("weight", weight)
                            .putArray("in"),
                    values);
            return this;
        }

        private static void values(ArrayNode list, String... values) {
            for (String value : values) {
                list.add(value);
            }
        }

        /** Also workers with this taint, whatever its value. */
        public Group tolerate(String taint) {
            constraint("tolerate").put("taint", taint);
            return this;
        }

        public Group tolerate(String taint, String value) {
            constraint("tolerate").put("taint", taint).put("value", value);
            return this;
        }

        /**
         * Evenly over the values of a label.
         *
         * @param maxSkew largest difference of two values
         */
        public Group spread(String label, int maxSkew) {
            group.withObject("/constraints")
                    .putObject("spread")
                    .put("label", label)
                    .put("maxSkew", maxSkew);
            return this;
        }
    }
}
