package io.berth.core.scheduler;

import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;

/**
 * A slot that a job has.
 *
 * @param group that it serves
 * @param defaultSlot whether it is the default slot of its worker: made for a group of unknown profile
 * @param decision that placed it
 */
record PoolSlot(
        AllocationId allocation,
        WorkerId worker,
        String group,
        ResourceProfile profile,
        boolean defaultSlot,
        long decision) {

    PoolSlot serving(String other) {
        return new PoolSlot(allocation, worker, other, profile, defaultSlot, decision);
    }
}
