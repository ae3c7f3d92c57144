package io.berth.core.scheduler.slotpool;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Groups that are alike share their slots: one that lacks some gets those that the others do not use (FLIP-160,
 * SlotAllocator). Pure; immutable.
 */
final class SharedSlots {

    /** First group whose slots serve the group as well. */
    private final SortedMap<String, String> kinds = new TreeMap<>();

    SharedSlots(JobGraph job) {
        for (SlotSharingGroup group : job.groups()) {
            String first = group.name();
            for (SlotSharingGroup other : job.groups()) {
                if (other.name().equals(group.name()) || other.sharesSlotsWith(group)) {
                    first = other.name();
                    break;
                }
            }
            kinds.put(group.name(), first);
        }
    }

    /** How many of each kind. */
    private SortedMap<String, Integer> sums(SortedMap<String, Integer> counts) {
        SortedMap<String, Integer> sums = new TreeMap<>();
        counts.forEach((group, count) -> sums.merge(kinds.getOrDefault(group, group), count, Integer::sum));
        return sums;
    }

    /** Whether the slots suffice when groups that are alike share them. */
    boolean suffice(SortedMap<String, Integer> slots, SortedMap<String, Integer> needed) {
        SortedMap<String, Integer> there = sums(slots);
        return sums(needed).entrySet().stream()
                .allMatch(kind -> there.getOrDefault(kind.getKey(), 0) >= kind.getValue());
    }

    /**
     * The slots with the group that each serves in an execution.
     *
     * @param counts slots that the execution needs of each group
     */
    List<Use> serving(List<Use> slots, SortedMap<String, Integer> counts) {
        SortedMap<String, Integer> surplus = new TreeMap<>();
        slots.forEach(use -> surplus.merge(use.slot().group(), 1, Integer::sum));
        counts.forEach((group, count) -> surplus.merge(group, -count, Integer::sum));
        if (surplus.values().stream().noneMatch(left -> left < 0)) {
            return slots;
        }
        List<Use> result = new ArrayList<>(slots);
        for (String group : counts.keySet()) {
            String kind = kinds.getOrDefault(group, group);
            for (int index = 0; index < result.size() && surplus.getOrDefault(group, 0) < 0; index++) {
                String other = result.get(index).slot().group();
                if (surplus.getOrDefault(other, 0) > 0 && kind.equals(kinds.get(other))) {
                    result.set(index, result.get(index).serving(group));
                    surplus.merge(other, -1, Integer::sum);
                    surplus.merge(group, 1, Integer::sum);
                }
            }
        }
        return result;
    }
}
