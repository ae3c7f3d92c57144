package com.example.abilities;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.WorkersView;
import java.util.function.BiPredicate;

/** What is left of the registered workers while a result is made. Gangs of one entry only, and no new workers. */
final class Room {

    private final WorkersView workers;
    private final AdmittedView admitted;
    private final long[][] left;

    Room(WorkersView workers, AdmittedView admitted) {
        this.workers = workers;
        this.admitted = admitted;
        left = new long[workers.limit()][workers.dimensions()];
        for (int worker = 0; worker < left.length; worker++) {
            for (int dimension = 0; workers.present(worker) && dimension < left[worker].length; dimension++) {
                left[worker][dimension] = workers.free(worker, dimension);
            }
        }
    }

    /**
     * Places as many slots of the entry as fit where it may be, all or none of a gang.
     *
     * @return whether all are placed
     */
    boolean place(int entry, PlacementBuilder plan, BiPredicate<Integer, Integer> allowed) {
        int[] counts = new int[left.length];
        int missing = admitted.count(entry);
        for (int worker = 0; worker < left.length; worker++) {
            if (workers.present(worker)
                    && !workers.pending(worker)
                    && admitted.feasible(entry, worker)
                    && allowed.test(entry, worker)) {
                counts[worker] = fits(entry, worker, missing);
                missing -= counts[worker];
            }
        }
        if (missing > 0 && admitted.gang(entry) >= 0) {
            return false;
        }
        for (int worker = 0; worker < left.length; worker++) {
            if (counts[worker] > 0) {
                plan.place(entry, worker, counts[worker]);
                for (int dimension = 0; dimension < left[worker].length; dimension++) {
                    left[worker][dimension] -= counts[worker] * admitted.need(entry, worker, dimension);
                }
            }
        }
        return missing == 0;
    }

    private int fits(int entry, int worker, int most) {
        long count = most;
        for (int dimension = 0; dimension < left[worker].length; dimension++) {
            long need = admitted.need(entry, worker, dimension);
            count = need > 0 ? Math.min(count, left[worker][dimension] / need) : count;
        }
        return (int) count;
    }
}
