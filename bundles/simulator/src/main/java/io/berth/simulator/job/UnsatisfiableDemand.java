package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What one job of a world needs that the world does not have. It exists in one of eleven seeds, where jobs wait
 * forever.
 */
public enum UnsatisfiableDemand {
    /** The same as other jobs. */
    NONE(JobShapes.SLOT, 0, 0),
    CPU(ResourceProfile.of(5_000, 1L << 30), 1, 1),
    MEMORY(ResourceProfile.of(1_000, 5L << 30), 1, 1),
    RESOURCE(new ResourceProfile(1_000, 1L << 30, 0, 0, new TreeMap<>(Map.of("gpu", 1L))), 1, 1),
    /** At least twice what exists. */
    ALL_OR_NOTHING(JobShapes.SLOT, 40, 40),
    /** All that exists, and more. */
    ALL_THAT_THERE_IS(JobShapes.SLOT, 1, 40);

    /** The place of the job that has this demand. */
    static final long JOB = 2;

    private static final int EACH = 11;
    private static final int REST = 5;
    private static final int KEY_GROUPS = 64;

    private final ResourceProfile profile;
    private final int minimum;
    private final int desired;

    UnsatisfiableDemand(ResourceProfile profile, int minimum, int desired) {
        this.profile = profile;
        this.minimum = minimum;
        this.desired = desired;
    }

    /** The demand of a seed. */
    public static UnsatisfiableDemand of(long seed) {
        return Math.floorMod(seed, EACH) == REST
                ? values()[1 + (int) Math.floorMod(seed / EACH, (long) values().length - 1)]
                : NONE;
    }

    /** The job with this demand. */
    JobGraph of(JobGraph usual) {
        if (this == NONE) {
            return usual;
        }
        List<JobVertex> vertices = usual.vertices().stream()
                .map(vertex -> new JobVertex(
                        vertex.name(),
                        vertex.operator(),
                        minimum,
                        desired,
                        desired,
                        KEY_GROUPS,
                        "default",
                        vertex.configuration()))
                .toList();
        return new JobGraph(
                usual.id(),
                usual.name(),
                usual.submissionIndex(),
                usual.attributes(),
                usual.policies(),
                usual.bundles(),
                vertices,
                usual.edges(),
                List.of(new SlotSharingGroup("default", profile)));
    }
}
