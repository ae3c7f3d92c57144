package io.berth.matching.rebalance;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Moves slots from the most used worker to the least used one, while the two differ by more than a gap. */
final class Evening implements Search {

    private final double gap;
    private final int moves;
    private final Worth worth;

    Evening(double gap, int moves, Worth worth) {
        this.gap = gap;
        this.moves = moves;
        this.worth = worth;
    }

    @Override
    public List<Move> find(PoolSlots slots) {
        List<Move> found = new ArrayList<>();
        List<Integer> gone = new ArrayList<>();
        while (found.size() < moves) {
            int hot = extreme(slots, 1);
            int cold = extreme(slots, -1);
            if (hot < 0 || slots.use(hot) - slots.use(cold) <= gap) {
                return found;
            }
            int best = best(slots, hot, cold, gone);
            if (best < 0) {
                return found;
            }
            found.add(new Move(best, reason(slots, hot, cold)));
            gone.add(best);
            slots.move(best, hot, cold);
        }
        return found;
    }

    /** The worker with the largest use times {@code sign}; -1 when none stays. */
    private static int extreme(PoolSlots slots, int sign) {
        int best = -1;
        for (int worker = 0; worker < slots.workers(); worker++) {
            if (slots.stays(worker) && (best < 0 || sign * slots.use(worker) > sign * slots.use(best))) {
                best = worker;
            }
        }
        return best;
    }

    /** The slot whose job loses least among those that pay; none that would only swap the two workers. */
    private int best(PoolSlots slots, int hot, int cold, List<Integer> gone) {
        double difference = slots.use(hot) - slots.use(cold);
        int best = -1;
        double least = Double.POSITIVE_INFINITY;
        for (int slot : slots.on(hot)) {
            double cost = slots.cost(slots.job(slot), hot, worth);
            double share = slots.share(slot, hot);
            if (cost < least
                    && share + slots.share(slot, cold) <= difference
                    && !gone.contains(slot)
                    && slots.mayMove(slot)
                    && slots.fits(slot, cold)
                    && worth.pays(cost, share)) {
                best = slot;
                least = cost;
            }
        }
        return best;
    }

    private static String reason(PoolSlots slots, int hot, int cold) {
        return String.format(
                Locale.ROOT,
                "its worker %s is used to %.0f %%, worker %s to %.0f %%",
                slots.name(hot),
                100 * slots.use(hot),
                slots.name(cold),
                100 * slots.use(cold));
    }
}
