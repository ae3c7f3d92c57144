package io.berth.core.scheduler.slotpool;

import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;

/**
 * A slot that a job has.
 *
 * @param group that it serves; empty when it serves none
 * @param madeFor group that it was allocated for
 * @param defaultSlot whether it is the default slot of its worker: made for a group of unknown profile
 * @param decision that placed it
 */
public record PoolSlot(
        AllocationId allocation,
        WorkerId worker,
        String group,
        String madeFor,
        ResourceProfile profile,
        boolean defaultSlot,
        long decision) {

    static final String NO_GROUP = "";

    PoolSlot serving(String other) {
        return new PoolSlot(allocation, worker, other, madeFor, profile, defaultSlot, decision);
    }
}
