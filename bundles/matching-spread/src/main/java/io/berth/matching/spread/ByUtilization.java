package io.berth.matching.spread;

import io.berth.policy.support.FittingWorkers;
import io.berth.policy.support.FreeRoom;
import io.berth.policy.support.SlotPlacement;
import io.berth.policy.support.WorkerSet;
import java.util.Arrays;

/**
 * The least utilized worker first. Utilization is the largest used share of a dimension, in steps of 1/256. Among
 * workers on the same step, the lowest index comes first. Each step has a set of workers. A change therefore costs two
 * words, and the next worker is the first fitting one of the first step that has any.
 */
final class ByUtilization implements SlotPlacement.Order {

    private static final int STEPS = 256;
    private static final int NONE = -1;

    private final WorkerSet[] onStep = new WorkerSet[STEPS + 1];
    /** The steps that have a worker. */
    private final WorkerSet filled = new WorkerSet();

    private int[] stepOf = new int[0];

    ByUtilization() {
        Arrays.setAll(onStep, step -> new WorkerSet());
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

    private static int step(int worker, FreeRoom room) {
        int step = 0;
        for (int dimension = 0; dimension < room.dimensions(); dimension++) {
            long total = room.total(worker, dimension);
            long used = total - room.left(worker, dimension);
            if (used > 0 && total > 0) {
                step = Math.max(step, (int) ((double) used / total * STEPS));
            }
        }
        return Math.min(step, STEPS);
    }

    @Override
    public int next(FittingWorkers fitting) {
        // Within a call, workers only get fuller. A step without a fitting worker will not get one later.
        for (int step = filled.next(fitting.mark()); step >= 0; step = filled.next(step + 1)) {
            int worker = fitting.firstOf(onStep[step]);
            if (worker >= 0) {
                fitting.mark(step);
                return worker;
            }
        }
        fitting.mark(STEPS);
        return NONE;
    }

    @Override
    public boolean fills() {
        return false;
    }
}
