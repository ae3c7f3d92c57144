package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;

/**
 * Explains in words why a slot finds no worker. It looks at most at a thousand workers, because a reason must not cost
 * a scan of the pool.
 */
final class Shortage {

    private static final int MAX_COUNT = 1_000;

    private final FreeRoom room;
    private final NewWorkers news;

    Shortage(FreeRoom room, NewWorkers news) {
        this.room = room;
        this.news = news;
    }

    String text(int entry, AdmittedView admitted) {
        int[] without = new int[room.dimensions()];
        int all = room.registered().size() + room.pending().size() + news.size();
        int looked = 0;
        int infeasible = 0;
        for (WorkerSet set : new WorkerSet[] {room.registered(), room.pending()}) {
            for (int worker = set.next(0); worker >= 0 && looked < MAX_COUNT; worker = set.next(worker + 1)) {
                looked++;
                if (!admitted.feasible(entry, worker)) {
                    infeasible++;
                    continue;
                }
                for (int dimension = 0; dimension < without.length; dimension++) {
                    without[dimension] +=
                            room.left(worker, dimension) < admitted.need(entry, worker, dimension) ? 1 : 0;
                }
            }
        }
        for (int nth = 0; nth < news.size() && looked < MAX_COUNT; nth++) {
            looked++;
            if (!news.feasible(entry, nth)) {
                infeasible++;
                continue;
            }
            for (int dimension = 0; dimension < without.length; dimension++) {
                without[dimension] += news.lacks(entry, nth, dimension) ? 1 : 0;
            }
        }
        if (all == 0) {
            return "there is no worker";
        }
        int worst = 0;
        for (int dimension = 1; dimension < without.length; dimension++) {
            worst = without[dimension] > without[worst] ? dimension : worst;
        }
        String among = " of " + (looked < all ? "the first " + looked + " of " : "") + all + " workers";
        String excluded = infeasible == 0 ? "" : infeasible + among + " are excluded by constraints";
        if (infeasible == looked) {
            return excluded;
        }
        String little =
                without[worst] + among + " have too little " + room.workers().dimension(worst);
        return excluded.isEmpty() ? little : excluded + ", " + little;
    }
}
