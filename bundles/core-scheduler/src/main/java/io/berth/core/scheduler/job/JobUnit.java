package io.berth.core.scheduler.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.ParallelismBounds;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A part of a job that is scheduled as a whole: vertices that pipelined edges connect. Units depend on each other by
 * blocking edges, without cycles. A job without blocking edges is one unit. Immutable.
 *
 * @param name unique within the job
 * @param graph its vertices in topological order, the edges between them, which are all pipelined, and their groups
 * @param edges for each edge of the graph, its number in the job
 * @param inputs blocking edges from other units, by number
 * @param outputs blocking edges to other units, by number
 */
public record JobUnit(
        String name, JobGraph graph, List<Integer> edges, List<BlockingEdge> inputs, List<BlockingEdge> outputs) {

    /** Name of the only unit of a job. */
    public static final String ALL = "all";

    public JobUnit {
        edges = List.copyOf(edges);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
    }

    /**
     * An edge between units.
     *
     * @param number of the edge in the job
     */
    public record BlockingEdge(int number, JobEdge edge, JobVertex from, JobVertex to) {

        /** How many parts the producer writes. The parallelism of the consumer is not known then: it reads ranges of them. */
        public int parts() {
            return edge.partitioning() == Partitioning.BROADCAST ? 1 : to.maxParallelism();
        }
    }

    /** All of a job as one unit. */
    public static JobUnit whole(JobGraph job) {
        return new JobUnit(
                ALL, job, IntStream.range(0, job.edges().size()).boxed().toList(), List.of(), List.of());
    }

    /** The units of a job in topological order. */
    public static List<JobUnit> of(JobGraph job) {
        return job.edges().stream().noneMatch(JobEdge::isBlocking) ? List.of(whole(job)) : new UnitSearch(job).units();
    }

    public boolean contains(String vertex) {
        return graph.vertices().stream().anyMatch(own -> own.name().equals(vertex));
    }

    /** Those of the bounds that concern its vertices. */
    public ParallelismBounds bounds(ParallelismBounds ofJob) {
        Set<String> own = graph.vertices().stream().map(JobVertex::name).collect(Collectors.toSet());
        return new ParallelismBounds(
                ofJob.revision(),
                ofJob.vertices().stream()
                        .filter(bounds -> own.contains(bounds.vertex()))
                        .toList());
    }
}
