package io.berth.matching.optimal;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.function.BooleanSupplier;

/**
 * Plans a large call by column generation if all of its slots find room. Otherwise the entries follow in their order, each
 * on the most utilized workers that have room, as the strategy {@code pack} places them.
 */
final class OptimalSession implements PlacementSession {

    private final SlotPlacement placement;
    private final MixedPlacement mixed;

    OptimalSession(WorkersView workers, BooleanSupplier mayContinue) {
        placement = new SlotPlacement(workers, ByUtilization.mostFirst());
        mixed = MixedPlacement.optimal(workers, mayContinue);
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
