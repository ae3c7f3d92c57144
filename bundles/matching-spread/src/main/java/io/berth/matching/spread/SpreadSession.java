package io.berth.matching.spread;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * Places each slot on the least utilized worker that has room. Registered workers come before pending ones, and those
 * before new ones, which are filled one after the other. If a gang of several profiles finds no room this way, first
 * fit packs it.
 */
final class SpreadSession implements PlacementSession {

    private final SlotPlacement placement;

    SpreadSession(WorkersView workers) {
        placement = new SlotPlacement(workers, ByUtilization.leastFirst());
    }

    @Override
    public void delta(int[] changed) {
        placement.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        placement.place(admitted, plan);
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
