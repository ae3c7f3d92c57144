package io.berth.matching.rebalance;

import io.berth.policy.support.ByUtilization;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AllocationsView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/**
 * Places entries as another strategy does. When nothing waits, it looks at an interval for slots that should be elsewhere,
 * and asks their jobs to return them. What a job still requires is then placed like everything else.
 */
final class RebalanceSession implements PlacementSession {

    private final WorkersView workers;
    private final PackingSession packed;
    private final SlotPlacement even;
    private final boolean evens;
    private final Search search;
    private final Pauses pauses;

    RebalanceSession(WorkersView workers, boolean evens, Search search, Pauses pauses) {
        this.workers = workers;
        this.evens = evens;
        this.search = search;
        this.pauses = pauses;
        packed = new PackingSession(workers, MixedPlacement.greedy(workers));
        even = new SlotPlacement(workers, ByUtilization.leastFirst());
    }

    @Override
    public void delta(int[] changed) {
        if (evens) {
            even.delta(changed);
        } else {
            packed.delta(changed);
        }
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        if (evens) {
            even.place(admitted, plan);
        } else {
            packed.place(admitted, plan);
        }
        AllocationsView slots = admitted.allocations();
        if (slots.limit() == 0) {
            return;
        }
        long now = workers.now();
        if (pauses.remaining(now) == 0) {
            // What waits needs the room that there is; and what was returned is among it.
            if (admitted.size() == 0) {
                move(slots, now, plan);
            }
            pauses.rest(now);
        }
        plan.reviewAfter(pauses.remaining(now));
    }

    private void move(AllocationsView slots, long now, PlacementBuilder plan) {
        pauses.settle(slots, now);
        for (Search.Move move : search.find(PoolSlots.read(workers, slots, pauses::isPaused))) {
            plan.giveBack(move.allocation(), move.reason());
            pauses.ask(slots, move.allocation(), now);
        }
    }

    @Override
    public void close() {
        packed.close();
    }
}
