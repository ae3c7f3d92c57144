package io.berth.matching.balanced;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * Tries to place each slot on the least utilized worker. When the pool is tight, or when not everything finds room on
 * registered workers this way, it packs as the strategy {@code pack} does instead.
 */
final class BalancedSession implements PlacementSession {

    private final PoolUse use;
    private final double tight;
    private final SlotPlacement even;
    private final PackingSession packed;

    BalancedSession(WorkersView workers, double tight) {
        this.tight = tight;
        use = new PoolUse(workers);
        even = new SlotPlacement(workers, ByUtilization.leastFirst());
        packed = new PackingSession(workers, MixedPlacement.greedy(workers));
    }

    @Override
    public void delta(int[] changed) {
        use.delta(changed);
        even.delta(changed);
        packed.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        if (use.scarcest(admitted) > tight || !even.placeOnPresentWorkers(admitted, plan)) {
            packed.place(admitted, plan);
        }
    }

    @Override
    public void close() {
        packed.close();
    }
}
