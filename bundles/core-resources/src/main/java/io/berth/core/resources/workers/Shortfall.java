package io.berth.core.resources.workers;

import io.berth.core.api.job.AmountText;
import io.berth.spi.ResourceProfile;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The resources of which a worker has less than its spec, for people.
 *
 * @param there what the worker has of them
 * @param expected what its spec has of them
 */
record Shortfall(String there, String expected) {

    static Shortfall of(ResourceProfile spec, ResourceProfile worker) {
        SortedMap<String, Long> expected = amounts(spec);
        SortedMap<String, Long> has = amounts(worker);
        SortedMap<String, Long> there = new TreeMap<>();
        expected.forEach((name, amount) -> {
            long present = has.getOrDefault(name, 0L);
            if (present < amount) {
                there.put(name, present);
            }
        });
        expected.keySet().retainAll(there.keySet());
        return new Shortfall(AmountText.of(there), AmountText.of(expected));
    }

    private static SortedMap<String, Long> amounts(ResourceProfile profile) {
        SortedMap<String, Long> amounts = new TreeMap<>(profile.extended());
        amounts.put("cpu", profile.cpuMillis());
        amounts.put("heap", profile.heapBytes());
        amounts.put("off-heap", profile.offHeapBytes());
        amounts.put("managed", profile.managedBytes());
        return amounts;
    }
}
