package io.berth.benchmark.workload;

import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.spi.ResourceProfile;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.ToLongFunction;

/**
 * The minimum number of workers of several sizes that could hold the slots if only volume counted. For each dimension
 * it counts workers, the largest in that dimension first, until together they have what all slots take of it. The
 * bound is the maximum of these counts. If all workers together have too little, it continues with more workers of the
 * largest size. Slots that fit on no worker do not count. It ignores that different workers are the largest in
 * different dimensions, so a placement may need more.
 */
final class VolumeBound {

    private VolumeBound() {}

    static int of(List<ResourceProfile> workers, List<GroupDemand> slots) {
        Set<ResourceProfile> kinds = new LinkedHashSet<>(workers);
        Set<ResourceProfile> profiles = new LinkedHashSet<>();
        slots.forEach(group -> profiles.add(group.profile()));
        profiles.removeIf(profile -> kinds.stream().noneMatch(kind -> kind.covers(profile)));
        List<GroupDemand> fitting = slots.stream()
                .filter(group -> profiles.contains(group.profile()))
                .toList();
        long bound = 0;
        for (ToLongFunction<ResourceProfile> dimension : dimensions(fitting)) {
            bound = Math.max(bound, ofDimension(workers, fitting, dimension));
        }
        return (int) Math.min(bound, Integer.MAX_VALUE);
    }

    private static List<ToLongFunction<ResourceProfile>> dimensions(List<GroupDemand> slots) {
        List<ToLongFunction<ResourceProfile>> dimensions = new ArrayList<>(List.of(
                ResourceProfile::cpuMillis,
                ResourceProfile::heapBytes,
                ResourceProfile::offHeapBytes,
                ResourceProfile::managedBytes));
        SortedSet<String> extended = new TreeSet<>();
        slots.forEach(group -> extended.addAll(group.profile().extended().keySet()));
        extended.forEach(name -> dimensions.add(profile -> profile.extended().getOrDefault(name, 0L)));
        return dimensions;
    }

    private static long ofDimension(
            List<ResourceProfile> workers, List<GroupDemand> slots, ToLongFunction<ResourceProfile> amount) {
        BigInteger missing = BigInteger.ZERO;
        for (GroupDemand group : slots) {
            missing = missing.add(BigInteger.valueOf(amount.applyAsLong(group.profile()))
                    .multiply(BigInteger.valueOf(group.desired())));
        }
        List<Long> sizes = workers.stream()
                .map(amount::applyAsLong)
                .sorted(Comparator.reverseOrder())
                .toList();
        int taken = 0;
        while (missing.signum() > 0 && taken < sizes.size()) {
            missing = missing.subtract(BigInteger.valueOf(sizes.get(taken++)));
        }
        if (missing.signum() <= 0) {
            return taken;
        }
        BigInteger largest = BigInteger.valueOf(sizes.get(0));
        return taken
                + missing.add(largest).subtract(BigInteger.ONE).divide(largest).longValue();
    }
}
