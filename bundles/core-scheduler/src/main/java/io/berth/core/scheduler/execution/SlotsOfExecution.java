package io.berth.core.scheduler.execution;

import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The slots of an execution, found by allocation and by worker: what happens to a few of them costs nothing for the others.
 * Tasks keep their slots. Immutable.
 */
final class SlotsOfExecution {

    /** Subtask {@code subtask} of each chain of a group runs in the slot. */
    record Place(String group, int subtask) {}

    private final Map<AllocationId, Place> places = new HashMap<>();
    private final Map<WorkerId, List<AllocationId>> onWorker = new HashMap<>();

    /** @param slots of each group in the order of subtasks */
    SlotsOfExecution(SortedMap<String, List<PoolSlot>> slots) {
        slots.forEach((group, used) -> {
            for (int subtask = 0; subtask < used.size(); subtask++) {
                PoolSlot slot = used.get(subtask);
                places.put(slot.allocation(), new Place(group, subtask));
                onWorker.computeIfAbsent(slot.worker(), worker -> new ArrayList<>())
                        .add(slot.allocation());
            }
        });
    }

    /** Empty when the execution does not use the slot. */
    Optional<Place> place(AllocationId slot) {
        return Optional.ofNullable(places.get(slot));
    }

    /** The slots on a worker. */
    List<AllocationId> of(WorkerId worker) {
        return onWorker.getOrDefault(worker, List.of());
    }
}
