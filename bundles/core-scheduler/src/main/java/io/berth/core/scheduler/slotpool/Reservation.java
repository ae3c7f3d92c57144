package io.berth.core.scheduler.slotpool;

import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Chooses the slots of an execution among the free ones: each subtask gets its previous slot if the job still has it,
 * because its state is there; the others use the workers in turn. Pure functions.
 */
final class Reservation {

    private Reservation() {}

    /**
     * @param slots that may be chosen, in the order of allocations
     * @param counts slots of each group
     * @param before for each group the slots of the previous execution, in the order of subtasks
     * @return for each group its slots in the order of subtasks; empty when a group is short of free slots
     */
    static Optional<SortedMap<String, List<PoolSlot>>> choose(
            Stream<Use> slots, SortedMap<String, Integer> counts, SortedMap<String, List<AllocationId>> before) {
        List<PoolSlot> usable = slots.map(Use::slot).toList();
        SortedMap<String, List<PoolSlot>> chosen = new TreeMap<>();
        for (Map.Entry<String, Integer> wanted : counts.entrySet()) {
            Map<AllocationId, PoolSlot> free = inTurn(usable, wanted.getKey());
            if (free.size() < wanted.getValue()) {
                return Optional.empty();
            }
            chosen.put(
                    wanted.getKey(), choose(free, wanted.getValue(), before.getOrDefault(wanted.getKey(), List.of())));
        }
        return Optional.of(chosen);
    }

    private static List<PoolSlot> choose(Map<AllocationId, PoolSlot> free, int count, List<AllocationId> before) {
        List<Optional<PoolSlot>> kept = new ArrayList<>();
        for (int subtask = 0; subtask < count; subtask++) {
            kept.add(
                    subtask < before.size() ? Optional.ofNullable(free.remove(before.get(subtask))) : Optional.empty());
        }
        List<PoolSlot> rest = new ArrayList<>(free.values());
        List<PoolSlot> chosen = new ArrayList<>();
        int next = 0;
        for (Optional<PoolSlot> slot : kept) {
            chosen.add(slot.isPresent() ? slot.get() : rest.get(next++));
        }
        return List.copyOf(chosen);
    }

    private static Map<AllocationId, PoolSlot> inTurn(List<PoolSlot> slots, String group) {
        SortedMap<WorkerId, Integer> seen = new TreeMap<>();
        record Turn(int turn, PoolSlot slot) {}
        Map<AllocationId, PoolSlot> ordered = new LinkedHashMap<>();
        slots.stream()
                .filter(slot -> slot.group().equals(group))
                .map(slot -> new Turn(seen.merge(slot.worker(), 1, Integer::sum), slot))
                .sorted(Comparator.comparingInt(Turn::turn)
                        .thenComparing(turn -> turn.slot().worker()))
                .forEach(turn -> ordered.put(turn.slot().allocation(), turn.slot()));
        return ordered;
    }
}
