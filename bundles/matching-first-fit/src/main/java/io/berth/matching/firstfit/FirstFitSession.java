package io.berth.matching.firstfit;

import io.berth.policy.support.FittingWorkers;
import io.berth.policy.support.FreeRoom;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * First fit in the order of indexes: registered workers, then pending ones, then new ones of the smallest spec that
 * fits.
 */
final class FirstFitSession implements PlacementSession {

    private static final class ByIndex implements SlotPlacement.Order {

        @Override
        public void changed(int worker, FreeRoom room) {
            // The index of a worker does not change.
        }

        @Override
        public int next(FittingWorkers fitting) {
            return fitting.first();
        }

        @Override
        public boolean fills() {
            return true;
        }
    }

    private final SlotPlacement placement;

    FirstFitSession(WorkersView workers) {
        placement = new SlotPlacement(workers, new ByIndex());
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
