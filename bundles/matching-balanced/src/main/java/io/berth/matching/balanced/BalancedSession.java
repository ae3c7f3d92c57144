package io.berth.matching.balanced;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * Tries to place each slot on the least utilized worker, among those without resources that it does not request first. When
 * the pool is tight, it fills workers one after the other instead, in the same order of resources. It places as the strategy
 * {@code pack} does whenever that finds room for more.
 */
final class BalancedSession implements PlacementSession {

    private final PoolUse use;
    private final double tight;
    private final SlotPlacement even;
    private final SlotPlacement filling;
    private final MixedPlacement mixed;
    private final SlotPlacement packed;

    BalancedSession(WorkersView workers, double tight, boolean keepsScarce) {
        this.tight = tight;
        use = new PoolUse(workers);
        even = new SlotPlacement(workers, ByUtilization.leastFirst(keepsScarce));
        mixed = MixedPlacement.greedy(workers);
        packed = new SlotPlacement(workers, ByUtilization.mostFirst());
        filling = keepsScarce ? new SlotPlacement(workers, ByUtilization.mostFirst(true)) : packed;
    }

    @Override
    public void delta(int[] changed) {
        use.delta(changed);
        even.delta(changed);
        packed.delta(changed);
        if (filling != packed) {
            filling.delta(changed);
        }
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        boolean slack = use.scarcest() <= tight;
        boolean all = slack && even.draft(admitted);
        slack = slack && !even.opensWorkers() && use.scarcestWith(even) <= tight;
        if (slack && all) {
            even.emit(plan);
        } else if (!mixed.place(admitted, plan)) {
            among(admitted, slack, all).emit(plan);
        }
    }

    /**
     * The first of the placements that leaves nothing which packing would place.
     *
     * @param all whether even use finds room for everything, even if it opens workers or makes the pool tight
     */
    private SlotPlacement among(AdmittedView admitted, boolean slack, boolean all) {
        if (!slack && filling.draft(admitted)) {
            return filling;
        }
        boolean fits = packed.draft(admitted);
        if (slack && even.placesAllOf(packed)) {
            return even;
        }
        if (slack && filling != packed) {
            filling.draft(admitted);
        }
        if (all && !fits) {
            return even;
        }
        return filling.placesAllOf(packed) ? filling : packed;
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
