package io.berth.policy.rules.placement;

import java.util.Arrays;

/**
 * What is left of the workers that a plan uses, including new ones. The planner reuses it, so that a check costs as
 * much as the plan is long, not as the pool is large. Confined to the main thread of the planner.
 */
public final class RemainingCapacity {

    /** Below this, a need times a count does not overflow. */
    private static final long SMALL = 1L << 32;

    private long[] left = {};
    private int[] seenIn = {};
    private int[] seen = {};
    private int seenCount;
    private int check;
    private int dimensions;

    @SuppressWarnings("NullAway.Init")
    private CheckedWorkers workers;

    @SuppressWarnings("NullAway.Init")
    private PlacementResult plan;

    private RemainingCapacity[] copies = {};

    /** Forgets the previous plan. */
    void begin(CheckedWorkers columns, PlacementResult checked) {
        workers = columns;
        plan = checked;
        seenCount = 0;
        check++;
        int indexes = checked.firstNew() + checked.openedCount();
        if (dimensions != columns.dimensions() || indexes > seenIn.length) {
            int rows = indexes > seenIn.length ? Math.max(indexes, seenIn.length * 2) : seenIn.length;
            long[] amounts = new long[Math.multiplyExact(rows, columns.dimensions())];
            int[] marks = new int[rows];
            left = amounts;
            seenIn = marks;
            seen = new int[Math.min(rows, 64)];
            dimensions = columns.dimensions();
            check = 1;
        }
    }

    /** The same, without what the plan places and reserves. */
    public void beginAfter(CheckedWorkers columns, PlacementResult of) {
        begin(columns, of);
        for (int run = 0; run < of.runs(); run++) {
            take(of.entry(run), of.worker(run), of.count(run));
        }
        of.eachReservation(this::take);
    }

    void take(int entry, int worker, int count) {
        int row = row(worker);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            add(row, dimension, -plan.need(entry, worker, dimension) * count);
        }
    }

    /**
     * Takes slots from a worker, dimension by dimension.
     *
     * @param needs of one slot, by dimension
     * @return the first dimension of which too little is left, from which nothing was taken; -1 when there is none
     */
    int take(int worker, long[] needs, int count) {
        int row = row(worker);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long need = needs[dimension];
            if (need == 0) {
                continue;
            }
            long amount = left[row + dimension];
            if (need < SMALL ? amount < need * count : amount / need < count) {
                return dimension;
            }
            left[row + dimension] = amount - need * count;
        }
        return -1;
    }

    /** Index of the first amount of a worker. */
    int row(int worker) {
        if (seenIn[worker] != check) {
            see(worker);
            if (worker < plan.firstNew()) {
                workers.copyFree(worker, left, worker * dimensions);
            } else {
                for (int dimension = 0; dimension < dimensions; dimension++) {
                    left[worker * dimensions + dimension] =
                            workers.specTotal(plan.openedSpec(worker - plan.firstNew()), dimension);
                }
            }
        }
        return worker * dimensions;
    }

    private void see(int worker) {
        seenIn[worker] = check;
        if (seenCount == seen.length) {
            seen = Arrays.copyOf(seen, Math.max(64, seenCount * 2));
        }
        seen[seenCount++] = worker;
    }

    long left(int row, int dimension) {
        return left[row + dimension];
    }

    void add(int row, int dimension, long amount) {
        left[row + dimension] += amount;
    }

    /** A copy that may be consumed; valid until the next one with the same number. */
    RemainingCapacity copy(int number) {
        if (number >= copies.length) {
            int known = copies.length;
            copies = Arrays.copyOf(copies, number + 1);
            for (int nth = known; nth < copies.length; nth++) {
                copies[nth] = new RemainingCapacity();
            }
        }
        RemainingCapacity copy = copies[number];
        copy.begin(workers, plan);
        for (int nth = 0; nth < seenCount; nth++) {
            copy.see(seen[nth]);
            System.arraycopy(left, seen[nth] * dimensions, copy.left, seen[nth] * dimensions, dimensions);
        }
        return copy;
    }
}
