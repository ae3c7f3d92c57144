package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobGraph;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.job.Requirements;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;

/** Draws the sizes of workers on which each unit of some jobs fits when it has them for itself, however it is placed. */
final class MachineDraw {

    private static final long MEBIBYTE = 1L << 20;

    private final List<List<ResourceProfile>> minima;
    private final RandomGenerator random;

    MachineDraw(List<JobGraph> jobs, RandomGenerator random) {
        this.minima = minima(jobs);
        this.random = random;
    }

    /** A random one. */
    static ResourceProfile profile(RandomGenerator random, int leastCpuMillis, int mostCpuMillis) {
        return ResourceProfile.of(
                random.nextInt(leastCpuMillis, mostCpuMillis + 1), random.nextLong(64, 1_024) * MEBIBYTE);
    }

    /** @param spare whether one may be missing */
    List<ResourceProfile> any(boolean spare) {
        return random.nextBoolean() ? alike(1, spare) : oneLarge(spare);
    }

    /** What one slot needs, for each slot of the minimum of each unit. */
    private static List<List<ResourceProfile>> minima(List<JobGraph> jobs) {
        List<List<ResourceProfile>> units = new ArrayList<>();
        for (JobGraph job : jobs) {
            for (JobUnit unit : JobUnit.of(job)) {
                List<ResourceProfile> slots = new ArrayList<>();
                Requirements.of(unit.graph(), Requirements.minimum(unit.graph()))
                        .forEach(group -> {
                            for (int slot = 0; slot < group.minimum(); slot++) {
                                slots.add(group.profile());
                            }
                        });
                units.add(slots);
            }
        }
        return units;
    }

    /**
     * As many as the largest unit has slots, and each has room for any of them.
     *
     * @param least how many there are at least
     */
    List<ResourceProfile> alike(int least, boolean spare) {
        ResourceProfile largest = ResourceProfile.ZERO;
        int most = least;
        for (List<ResourceProfile> unit : minima) {
            most = Math.max(most, unit.size());
            for (ResourceProfile slot : unit) {
                largest = largest(largest, slot);
            }
        }
        List<ResourceProfile> sizes = new ArrayList<>();
        for (int machine = 0; machine < most + (spare ? 1 : 0); machine++) {
            sizes.add(largest(
                    largest,
                    ResourceProfile.of(
                            random.nextLong(1, largest.cpuMillis() + largest.cpuMillis() / 4),
                            random.nextLong(1, largest.heapBytes() + largest.heapBytes() / 4))));
        }
        return sizes;
    }

    /** One with room for any unit, and some small ones. */
    private List<ResourceProfile> oneLarge(boolean spare) {
        ResourceProfile large = ResourceProfile.ZERO;
        for (List<ResourceProfile> unit : minima) {
            large = largest(large, unit.stream().reduce(ResourceProfile.ZERO, ResourceProfile::plus));
        }
        List<ResourceProfile> sizes = new ArrayList<>();
        sizes.add(large);
        if (spare) {
            sizes.add(large);
        }
        for (int small = random.nextInt(3); small > 0; small--) {
            sizes.add(profile(random, 500, 2_000));
        }
        return sizes;
    }

    private static ResourceProfile largest(ResourceProfile one, ResourceProfile other) {
        return ResourceProfile.of(
                Math.max(one.cpuMillis(), other.cpuMillis()), Math.max(one.heapBytes(), other.heapBytes()));
    }
}
