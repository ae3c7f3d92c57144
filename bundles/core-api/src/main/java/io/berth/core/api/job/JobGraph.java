package io.berth.core.api.job;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A validated job: the content of a job description with all defaults filled in.
 *
 * @param id assigned at submission
 * @param name for people
 * @param submissionIndex place in the order of submission
 * @param attributes what policies know of it beside its requirements
 * @param policies policies that the job chose, by kind
 * @param bundles user code of the job
 * @param vertices in topological order, names unique
 * @param edges between vertices of this graph
 * @param groups slot sharing groups of the vertices
 * @param revision of the bounds of the parallelism: 1 as submitted, and one more with each change
 */
public record JobGraph(
        JobId id,
        String name,
        long submissionIndex,
        SchedulingAttributes attributes,
        SortedMap<PolicyKind, PolicyChoice> policies,
        List<BundleRef> bundles,
        List<JobVertex> vertices,
        List<JobEdge> edges,
        List<SlotSharingGroup> groups,
        long revision) {

    public JobGraph {
        policies = Collections.unmodifiableSortedMap(new TreeMap<>(policies));
        bundles = List.copyOf(bundles);
        vertices = List.copyOf(vertices);
        edges = List.copyOf(edges);
        groups = List.copyOf(groups);
    }

    /** As submitted. */
    public JobGraph(
            JobId id,
            String name,
            long submissionIndex,
            SchedulingAttributes attributes,
            SortedMap<PolicyKind, PolicyChoice> policies,
            List<BundleRef> bundles,
            List<JobVertex> vertices,
            List<JobEdge> edges,
            List<SlotSharingGroup> groups) {
        this(id, name, submissionIndex, attributes, policies, bundles, vertices, edges, groups, 1);
    }

    /**
     * One step of the job.
     *
     * @param name unique within the job
     * @param runtime name of the task runtime that runs its tasks; empty in a message of an older release: {@code dataflow}
     * @param operator name of an operator in one of the job's bundles, or of a built-in operator; the name of the runtime
     *     if that one has no operators
     * @param minimum lowest parallelism, at least 1
     * @param desired preferred parallelism, at least the minimum
     * @param maximum highest parallelism for scaling, at least the desired one
     * @param maxParallelism number of key groups, at least the maximum; fixed for the life of the job
     * @param group name of its slot sharing group
     * @param configuration for the operator, or the runtime
     */
    public record JobVertex(
            String name,
            String runtime,
            String operator,
            int minimum,
            int desired,
            int maximum,
            int maxParallelism,
            String group,
            SortedMap<String, String> configuration) {

        /** The runtime whose tasks exchange records, and the default. */
        public static final String DATAFLOW = "dataflow";

        /** The setting of the configuration that says whether tasks of another runtime have a rendezvous. */
        public static final String RENDEZVOUS = "rendezvous";

        public JobVertex {
            runtime = runtime.isEmpty() ? DATAFLOW : runtime;
            configuration = Collections.unmodifiableSortedMap(new TreeMap<>(configuration));
        }

        /** A vertex of the runtime {@link #DATAFLOW}. */
        public JobVertex(
                String name,
                String operator,
                int minimum,
                int desired,
                int maximum,
                int maxParallelism,
                String group,
                SortedMap<String, String> configuration) {
            this(name, DATAFLOW, operator, minimum, desired, maximum, maxParallelism, group, configuration);
        }

        /** Whether its tasks exchange records. Otherwise no edge leads to it or from it. */
        public boolean isDataflow() {
            return runtime.equals(DATAFLOW);
        }

        /**
         * Whether its tasks meet at an address that they receive when they start. They know each other, so they can only
         * be restarted together.
         */
        public boolean hasRendezvous() {
            return !isDataflow() && !"false".equals(configuration.get(RENDEZVOUS));
        }

        VertexBounds bounds() {
            return new VertexBounds(name, minimum, desired, maximum);
        }

        JobVertex with(VertexBounds bounds) {
            return new JobVertex(
                    name,
                    runtime,
                    operator,
                    bounds.minimum(),
                    bounds.desired(),
                    bounds.maximum(),
                    maxParallelism,
                    group,
                    configuration);
        }
    }

    /**
     * Data flow from one vertex to another.
     *
     * @param input of the consumer: 1, or 2 of an operator with two inputs
     * @param output of the producer: empty for its main output, else the name of a side output
     */
    public record JobEdge(
            String from, String to, Partitioning partitioning, Exchange exchange, int input, String output) {

        /** An input of 0 is the first one: a message or record from before edges had inputs has none. */
        public JobEdge {
            input = Math.max(1, input);
        }

        /** Pipelined, from the main output to the first input. */
        public JobEdge(String from, String to, Partitioning partitioning) {
            this(from, to, partitioning, Exchange.PIPELINED);
        }

        /** From the main output to the first input. */
        public JobEdge(String from, String to, Partitioning partitioning, Exchange exchange) {
            this(from, to, partitioning, exchange, 1, "");
        }

        public boolean isBlocking() {
            return exchange == Exchange.BLOCKING;
        }

        /** Whether it leads from the main output to the first input. */
        public boolean isMain() {
            return input == 1 && output.isEmpty();
        }
    }

    /** Vertices that may share slots, the profile of one of these slots, and on which workers they may be. */
    public record SlotSharingGroup(
            String name, io.berth.spi.ResourceProfile profile, PlacementConstraints constraints) {

        /** On any worker. */
        public SlotSharingGroup(String name, io.berth.spi.ResourceProfile profile) {
            this(name, profile, PlacementConstraints.NONE);
        }

        /**
         * Whether a slot of one group serves the other one as well: it has the same size, and may be on the same workers.
         * Groups that are spread over a label keep their slots.
         */
        public boolean sharesSlotsWith(SlotSharingGroup other) {
            return profile.equals(other.profile)
                    && constraints.equals(other.constraints)
                    && constraints.spread().isEmpty();
        }
    }

    /** When a consumer reads what its producer writes. */
    public enum Exchange {
        /** At once: both run at the same time. */
        PIPELINED,
        /** After the producer has finished: the result is stored on the producer's worker, and can be read again. */
        BLOCKING
    }

    /** How an edge distributes records. */
    public enum Partitioning {
        /** To the consumer with the same index; both ends have the same parallelism. */
        FORWARD,
        /** Round robin. */
        REBALANCE,
        /** By the key group of the record's key. */
        HASH,
        /** To all consumers. */
        BROADCAST
    }

    /** The bounds of the parallelism of its vertices. */
    public ParallelismBounds bounds() {
        return new ParallelismBounds(
                revision, vertices.stream().map(JobVertex::bounds).toList());
    }

    /**
     * The same job with other bounds.
     *
     * @param bounds of all vertices, in their order
     */
    public JobGraph with(ParallelismBounds bounds) {
        List<JobVertex> changed = new ArrayList<>();
        for (int vertex = 0; vertex < vertices.size(); vertex++) {
            VertexBounds other = bounds.vertices().get(vertex);
            if (!other.vertex().equals(vertices.get(vertex).name())) {
                throw new IllegalArgumentException("job " + id + " has the vertex '"
                        + vertices.get(vertex).name() + "' at " + vertex + ", not '" + other.vertex() + "'");
            }
            changed.add(vertices.get(vertex).with(other));
        }
        return new JobGraph(
                id, name, submissionIndex, attributes, policies, bundles, changed, edges, groups, bounds.revision());
    }

    /** The vertex of that name. */
    public JobVertex vertex(String vertexName) {
        return vertices.stream()
                .filter(vertex -> vertex.name().equals(vertexName))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job " + id + " has no vertex '" + vertexName + "'"));
    }

    /** The pairs as a sorted map. */
    public static SortedMap<String, String> sorted(Map<String, String> pairs) {
        return new TreeMap<>(pairs);
    }
}
