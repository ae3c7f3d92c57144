package io.berth.core.scheduler.slotpool;

import io.berth.spi.AllocationId;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The allocations that a job returned last. An offer of one of them left the worker before the worker knew: to take it
 * would break what the ResourceManager was told. Confined to the main thread of the job.
 */
final class ReturnedSlots {

    /** More than a job can return while one offer is on its way. */
    private static final int KEPT = 10_000;

    private final Set<AllocationId> returned = new LinkedHashSet<>();

    void add(AllocationId allocation) {
        if (returned.add(allocation) && returned.size() > KEPT) {
            returned.remove(returned.iterator().next());
        }
    }

    boolean contains(AllocationId allocation) {
        return returned.contains(allocation);
    }
}
