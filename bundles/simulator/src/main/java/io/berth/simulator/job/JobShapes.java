package io.berth.simulator.job;

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
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * The jobs of a world: two vertices, in one slot sharing group or in two with different sizes, short or long; or {@link
 * BatchShapes}.
 */
public final class JobShapes {

    public static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);
    public static final ResourceProfile LARGE = ResourceProfile.of(2_000, 2L << 30);
    private static final int KEY_GROUPS = 16;

    private final RandomGenerator random;
    private final UnsatisfiableDemand hunger;
    private final LabeledWorld labels;
    private final PooledWorld pools;
    private final BatchShapes batch;
    private final RandomGenerator constraining;

    /**
     * @param hunger what the second job of the world needs
     * @param constraining draws constraints and pools, apart from all else that is drawn
     */
    public JobShapes(
            RandomGenerator random,
            UnsatisfiableDemand hunger,
            LabeledWorld labels,
            PooledWorld pools,
            BatchShapes batch,
            RandomGenerator constraining) {
        this.random = random;
        this.hunger = hunger;
        this.labels = labels;
        this.pools = pools;
        this.batch = batch;
        this.constraining = constraining;
    }

    /** @param mostSlots maximum of the slots that it desires for each group */
    JobGraph drawn(JobId id, long submissionIndex, int mostSlots) {
        JobGraph usual = usual(id, submissionIndex, mostSlots);
        boolean isHungry = submissionIndex == UnsatisfiableDemand.JOB && hunger != UnsatisfiableDemand.NONE;
        JobGraph shaped = isHungry ? usual : batch.insteadOf(usual);
        JobGraph constrained = pools.pooled(labels.constrained(shaped, constraining), constraining);
        return isHungry ? hunger.of(constrained) : constrained;
    }

    /**
     * Other bounds for a job, within what the world has room for. Its vertices have the same ones, unless they are in
     * different groups.
     */
    static ParallelismBounds otherBounds(JobGraph graph, RandomGenerator random, int mostSlots) {
        List<VertexBounds> bounds = new ArrayList<>();
        for (JobVertex vertex : graph.vertices()) {
            boolean large = !vertex.group().equals("default");
            int maximum = 1 + random.nextInt(large ? 2 : mostSlots);
            int desired = 1 + random.nextInt(maximum);
            VertexBounds drawn = new VertexBounds(vertex.name(), 1 + random.nextInt(desired), desired, maximum);
            VertexBounds first = bounds.isEmpty() ? drawn : bounds.get(0);
            bounds.add(
                    large ? drawn : new VertexBounds(vertex.name(), first.minimum(), first.desired(), first.maximum()));
        }
        return new ParallelismBounds(graph.revision() + 1, bounds);
    }

    private JobGraph usual(JobId id, long submissionIndex, int mostSlots) {
        boolean twoGroups = random.nextInt(3) == 0;
        int desired = 1 + random.nextInt(mostSlots);
        int minimum = 1 + random.nextInt(desired);
        boolean forward = !twoGroups && random.nextBoolean();
        SortedMap<String, String> source = new TreeMap<>();
        source.put(SimulatedTask.SPLITS, Integer.toString(5 + random.nextInt(40)));
        source.put(SimulatedTask.SPLIT_MILLIS, Integer.toString(1_000 + random.nextInt(30_000)));
        source.put(SimulatedTask.FAIL_PERCENT, random.nextInt(4) == 0 ? "10" : "0");
        int consumers = twoGroups ? 1 + random.nextInt(2) : desired;
        int least = twoGroups ? 1 : minimum;
        return new JobGraph(
                id,
                id.value(),
                submissionIndex,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                List.of(
                        new JobVertex("source", "simulated", minimum, desired, desired, KEY_GROUPS, "default", source),
                        new JobVertex(
                                "sink",
                                "simulated",
                                least,
                                consumers,
                                consumers,
                                KEY_GROUPS,
                                twoGroups ? "large" : "default",
                                new TreeMap<>())),
                List.of(new JobEdge("source", "sink", forward ? Partitioning.FORWARD : Partitioning.HASH)),
                twoGroups
                        ? List.of(new SlotSharingGroup("default", SLOT), new SlotSharingGroup("large", LARGE))
                        : List.of(new SlotSharingGroup("default", SLOT)));
    }
}
