package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.spi.AllocationId;

/** Numbers that are unique over all pools. Confined to the main thread. */
final class PlanNumbers {

    private final ResourceManagerId id;
    private long states;
    private long allocations;

    PlanNumbers(ResourceManagerId id) {
        this.id = id;
    }

    /** Number of the next input of a planner. */
    long nextState() {
        return ++states;
    }

    AllocationId nextAllocation() {
        return new AllocationId(id.token().epoch(), ++allocations);
    }
}
