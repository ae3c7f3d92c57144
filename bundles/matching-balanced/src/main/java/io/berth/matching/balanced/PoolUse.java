package io.berth.matching.balanced;

import io.berth.policy.support.SlotPlacement;
import io.berth.spi.matching.WorkersView;
import java.util.Arrays;

/** What all registered workers have together, and what of it is used; kept by deltas. */
final class PoolUse {

    private final WorkersView workers;
    private final int dimensions;
    private final long[] total;
    private final long[] free;
    /** What each worker adds to the sums, one dimension after the other: all, then what is free. */
    private long[] ofWorker = new long[0];

    PoolUse(WorkersView workers) {
        this.workers = workers;
        dimensions = workers.dimensions();
        total = new long[dimensions];
        free = new long[dimensions];
        for (int worker = 0; worker < workers.limit(); worker++) {
            read(worker);
        }
    }

    void delta(int[] changed) {
        for (int worker : changed) {
            read(worker);
        }
    }

    private void read(int worker) {
        int at = 2 * dimensions * worker;
        if (at >= ofWorker.length) {
            ofWorker = Arrays.copyOf(ofWorker, Math.max(at + 2 * dimensions, 2 * ofWorker.length));
        }
        boolean counts = workers.present(worker) && !workers.pending(worker);
        for (int dimension = 0; dimension < dimensions; dimension++, at += 2) {
            long all = counts ? workers.total(worker, dimension) : 0;
            long rest = counts ? workers.free(worker, dimension) : 0;
            total[dimension] += all - ofWorker[at];
            free[dimension] += rest - ofWorker[at + 1];
            ofWorker[at] = all;
            ofWorker[at + 1] = rest;
        }
    }

    /** The largest used share of a dimension. */
    double scarcest() {
        return scarcest(new long[dimensions]);
    }

    /** The same, as if the draft were in use already. */
    double scarcestWith(SlotPlacement draft) {
        long[] taken = new long[dimensions];
        draft.addTaken(taken);
        return scarcest(taken);
    }

    private double scarcest(long[] taken) {
        double scarcest = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (total[dimension] > 0) {
                double used = total[dimension] - free[dimension] + taken[dimension];
                scarcest = Math.max(scarcest, used / total[dimension]);
            }
        }
        return scarcest;
    }
}
