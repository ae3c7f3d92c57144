package io.berth.policy.support.packing;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * Mixes the profiles of a large call on each worker if all of its slots find room. Otherwise the entries follow in their
 * order, each on the most utilized workers that have room.
 */
public final class PackingSession implements PlacementSession {

    private final SlotPlacement placement;
    private final MixedPlacement mixed;

    /** @param mixed plans large calls */
    public PackingSession(WorkersView workers, MixedPlacement mixed) {
        this(workers, mixed, false);
    }

    /**
     * A session that may prefer workers without resources that a slot does not request, in calls that are not planned as
     * a whole.
     *
     * @param mixed plans large calls
     */
    public PackingSession(WorkersView workers, MixedPlacement mixed, boolean keepsScarce) {
        placement = new SlotPlacement(workers, ByUtilization.mostFirst(keepsScarce));
        this.mixed = mixed;
    }

    @Override
    public void delta(int[] changed) {
        placement.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        if (!mixed.place(admitted, plan)) {
            placement.place(admitted, plan);
        }
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
