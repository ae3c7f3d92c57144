package io.berth.policy.support;

import java.util.Arrays;

/**
 * The least utilized worker first, or the most utilized one. Utilization is the largest used share of a dimension, in
 * steps of 1/256, or of 1/64 when the most utilized comes first. Among workers on the same step, the lowest index comes
 * first. Each step has a set of workers. A change therefore costs two words, and the next worker is the first fitting one
 * of the first step that has any.
 */
public final class ByUtilization implements SlotPlacement.Order {

    private static final int STEPS = 256;
    /** Here each search begins at the first step. */
    private static final int COARSE_STEPS = 64;

    private static final int NONE = -1;

    private final boolean mostFirst;
    private final int steps;
    private final WorkerSet[] onStep;
    /** The steps that have a worker. */
    private final WorkerSet filled = new WorkerSet();

    private int[] stepOf = new int[0];

    private ByUtilization(boolean mostFirst) {
        this.mostFirst = mostFirst;
        steps = mostFirst ? COARSE_STEPS : STEPS;
        onStep = new WorkerSet[steps + 1];
        Arrays.setAll(onStep, step -> new WorkerSet());
    }

    /** Slots go one by one to the worker that is least utilized then. New workers are of the smallest spec. */
    public static ByUtilization leastFirst() {
        return new ByUtilization(false);
    }

    /** The most utilized worker takes as many slots as fit. New workers are of the cheapest spec. */
    public static ByUtilization mostFirst() {
        return new ByUtilization(true);
    }

    @Override
    public void changed(int worker, FreeRoom room) {
        if (worker >= stepOf.length) {
            int known = stepOf.length;
            stepOf = Arrays.copyOf(stepOf, Math.max(worker + 1, Math.max(64, known * 2)));
            Arrays.fill(stepOf, known, stepOf.length, NONE);
        }
        int before = stepOf[worker];
        int now = room.registered(worker) ? step(worker, room) : NONE;
        if (now == before) {
            return;
        }
        if (before != NONE) {
            onStep[before].remove(worker);
            if (onStep[before].size() == 0) {
                filled.remove(before);
            }
        }
        if (now != NONE) {
            onStep[now].add(worker);
            filled.add(now);
        }
        stepOf[worker] = now;
    }

    private int step(int worker, FreeRoom room) {
        int step = 0;
        for (int dimension = 0; dimension < room.dimensions(); dimension++) {
            long total = room.total(worker, dimension);
            long used = total - room.left(worker, dimension);
            if (used > 0 && total > 0) {
                step = Math.max(step, (int) ((double) used / total * steps));
            }
        }
        // Steps are numbered in the order in which they are searched.
        return mostFirst ? steps - Math.min(step, steps) : Math.min(step, steps);
    }

    @Override
    public int next(FittingWorkers fitting) {
        // Within a call, workers only get fuller. If the least utilized comes first, a step without a fitting worker
        // will not get one later.
        int from = mostFirst ? 0 : fitting.mark();
        for (int step = filled.next(from); step >= 0; step = filled.next(step + 1)) {
            int worker = fitting.firstOf(onStep[step]);
            if (worker >= 0) {
                fitting.mark(step);
                return worker;
            }
        }
        fitting.mark(steps);
        return NONE;
    }

    @Override
    public boolean fills() {
        return mostFirst;
    }

    @Override
    public boolean opensCheapest() {
        return mostFirst;
    }
}
