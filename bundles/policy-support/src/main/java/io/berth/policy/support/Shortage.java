package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;

/** Explains in words why a slot finds no worker, also among those that the call opens. */
final class Shortage {

    private final FreeRoom room;
    private final NewWorkers news;

    Shortage(FreeRoom room, NewWorkers news) {
        this.room = room;
        this.news = news;
    }

    String text(int entry, AdmittedView admitted) {
        ShortageCount count = new ShortageCount(room.workers());
        for (WorkerSet set : new WorkerSet[] {room.registered(), room.pending()}) {
            for (int worker = set.next(0); worker >= 0 && !count.isFull(); worker = set.next(worker + 1)) {
                if (!admitted.feasible(entry, worker)) {
                    count.infeasible();
                    continue;
                }
                count.feasible();
                for (int dimension = 0; dimension < room.dimensions(); dimension++) {
                    if (room.left(worker, dimension) < admitted.need(entry, worker, dimension)) {
                        count.lacks(dimension);
                    }
                }
            }
        }
        for (int nth = 0; nth < news.size() && !count.isFull(); nth++) {
            if (!news.feasible(entry, nth)) {
                count.infeasible();
                continue;
            }
            count.feasible();
            for (int dimension = 0; dimension < room.dimensions(); dimension++) {
                if (news.lacks(entry, nth, dimension)) {
                    count.lacks(dimension);
                }
            }
        }
        return count.text(room.registered().size() + room.pending().size() + news.size());
    }
}
