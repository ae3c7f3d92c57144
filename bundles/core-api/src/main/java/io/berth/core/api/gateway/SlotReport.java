package io.berth.core.api.gateway;

import io.berth.core.api.JobMasterId;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.List;

/**
 * All allocated slots of a worker; everything else is free. The worker's view is authoritative (FLIP-6).
 *
 * @param results number of stored results that the worker keeps for its jobs
 */
public record SlotReport(List<Slot> slots, int results) {

    public SlotReport {
        slots = List.copyOf(slots);
    }

    /** Without results. */
    public SlotReport(List<Slot> slots) {
        this(slots, 0);
    }

    public static SlotReport empty() {
        return new SlotReport(List.of());
    }

    /**
     * One allocated slot.
     *
     * @param jobMaster JobMaster that the slot was last offered to or requested for
     * @param active whether the JobMaster accepted it
     * @param tasks number of tasks that run in it
     * @param decision number of the decision that made the allocation
     */
    public record Slot(
            AllocationId allocation,
            JobId job,
            JobMasterId jobMaster,
            String unit,
            String group,
            ResourceProfile profile,
            boolean active,
            int tasks,
            long decision) {}
}
