package io.berth.benchmark.rescale;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.TreeMap;

/** A word count in three vertices, each connected to all subtasks of the next, which share their slots. */
final class StreamingJob {

    static final int VERTICES = 3;
    static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);

    private static final String GROUP = "default";
    private static final List<String> NAMES = List.of("read", "split", "count");

    private final JobGraph graph;
    private long revision = 1;

    /** @param maximum highest parallelism that it can have */
    StreamingJob(int maximum, int parallelism) {
        graph = new JobGraph(
                new JobId("word-count"),
                "word-count",
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                NAMES.stream()
                        .map(name ->
                                new JobVertex(name, name, 1, parallelism, parallelism, maximum, GROUP, new TreeMap<>()))
                        .toList(),
                List.of(
                        new JobEdge(NAMES.get(0), NAMES.get(1), Partitioning.REBALANCE),
                        new JobEdge(NAMES.get(1), NAMES.get(2), Partitioning.HASH)),
                List.of(new SlotSharingGroup(GROUP, SLOT)));
    }

    JobGraph graph() {
        return graph;
    }

    /** The next bounds: at least one subtask of each vertex, and so many at most. */
    ParallelismBounds require(int parallelism) {
        return new ParallelismBounds(
                ++revision,
                NAMES.stream()
                        .map(name -> new VertexBounds(name, 1, parallelism, parallelism))
                        .toList());
    }
}
