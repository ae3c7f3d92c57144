package io.berth.core.policies;

import java.util.Arrays;

/**
 * What is left of the workers that a plan uses, new ones among them. Kept by the planner from one check to the next, so
 * that a check costs what the plan says and not the size of the pool. Main thread of the planner.
 */
final class WorkerRest {

    private long[] left = {};
    private int[] seenIn = {};
    private int check;
    private int dimensions;
    private WorkerColumns workers;
    private PlacementResult plan;

    /** Forgets the plan before. */
    void begin(WorkerColumns columns, PlacementResult checked) {
        workers = columns;
        plan = checked;
        int indexes = checked.firstNew() + checked.openedCount();
        if (dimensions != columns.dimensions() || indexes > seenIn.length) {
            dimensions = columns.dimensions();
            seenIn = new int[Math.max(indexes, seenIn.length * 2)];
            left = new long[seenIn.length * dimensions];
            check = 0;
        }
        check++;
    }

    /** Where the amounts of a worker begin. */
    int row(int worker) {
        if (seenIn[worker] != check) {
            seenIn[worker] = check;
            for (int dimension = 0; dimension < dimensions; dimension++) {
                left[worker * dimensions + dimension] = worker >= plan.firstNew()
                        ? workers.specTotal(plan.openedSpec(worker - plan.firstNew()), dimension)
                        : workers.free(worker, dimension);
            }
        }
        return worker * dimensions;
    }

    long left(int row, int dimension) {
        return left[row + dimension];
    }

    void add(int row, int dimension, long amount) {
        left[row + dimension] += amount;
    }

    /** A copy, which can be used up. */
    WorkerRest copy() {
        WorkerRest copy = new WorkerRest();
        copy.workers = workers;
        copy.plan = plan;
        copy.dimensions = dimensions;
        copy.check = check;
        copy.left = left.clone();
        copy.seenIn = Arrays.copyOf(seenIn, seenIn.length);
        return copy;
    }
}
