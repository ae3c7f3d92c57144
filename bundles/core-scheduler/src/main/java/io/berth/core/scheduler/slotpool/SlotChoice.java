package io.berth.core.scheduler.slotpool;

import io.berth.core.scheduler.slotpool.PooledSlots.Use;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which slots an execution would get if none used any: a copy of the slots of one moment. Immutable; any thread. */
public final class SlotChoice {

    private final List<Use> slots;
    private final SortedMap<String, List<AllocationId>> before;
    private final SharedSlots shared;

    SlotChoice(List<Use> slots, SortedMap<String, List<AllocationId>> before, SharedSlots shared) {
        this.slots = slots;
        this.before = before;
        this.shared = shared;
    }

    /** Workers that have the slots. */
    public SortedSet<WorkerId> workers() {
        SortedSet<WorkerId> workers = new TreeSet<>();
        slots.forEach(use -> workers.add(use.slot().worker()));
        return workers;
    }

    /**
     * @param counts slots of each group
     * @return for each group its slots in the order of subtasks; empty when one is short
     */
    public Optional<SortedMap<String, List<PoolSlot>>> of(SortedMap<String, Integer> counts) {
        return Reservation.choose(shared.serving(slots, counts).stream(), counts, before);
    }
}
