package io.berth.matching.rebalance;

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
    private final PlacementSession placing;
    private final Search search;
    private final Pauses pauses;

    /** @param placing decides where entries go */
    RebalanceSession(WorkersView workers, PlacementSession placing, Search search, Pauses pauses) {
        this.workers = workers;
        this.placing = placing;
        this.search = search;
        this.pauses = pauses;
    }

    @Override
    public void delta(int[] changed) {
        placing.delta(changed);
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        placing.place(admitted, plan);
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
        placing.close();
    }
}
