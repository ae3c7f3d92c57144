package io.berth.matching.spread;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.SlotPlacement;
import io.berth.spi.matching.WorkersView;

/**
 * Places slot by slot on the least utilised worker that has room. Registered workers come before pending ones, those
 * before new ones, which are filled one after the other. An atom of several profiles that finds no room this way is
 * packed by first fit.
 */
final class SpreadSession implements PlacementSession {

    private final SlotPlacement placement;

    SpreadSession(WorkersView workers) {
        placement = new SlotPlacement(workers, new ByUtilisation());
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
        // Holds nothing but memory.
    }
}
