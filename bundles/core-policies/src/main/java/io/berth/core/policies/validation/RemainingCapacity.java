package io.berth.core.policies.validation;

import io.berth.core.policies.cache.WorkerColumns;
import java.util.Arrays;

/**
 * What is left of the workers that a plan uses, new ones among them. Kept by the planner from one check to the next, so
 * that a check costs what the plan says and not the size of the pool. Main thread of the planner.
 */
public final class RemainingCapacity {

    private long[] left = {};
    private int[] seenIn = {};
    private int[] seen = {};
    private int seenCount;
    private int check;
    private int dimensions;

    @SuppressWarnings("NullAway.Init")
    private WorkerColumns workers;

    @SuppressWarnings("NullAway.Init")
    private PlacementResult plan;

    private RemainingCapacity[] copies = {};

    /** Forgets the plan before. */
    void begin(WorkerColumns columns, PlacementResult checked) {
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

    /** Where the amounts of a worker begin. */
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

    /** A copy that may be used up; it holds until the next one with the same number is made. */
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
