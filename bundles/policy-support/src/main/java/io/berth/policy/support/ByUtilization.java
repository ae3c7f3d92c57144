package io.berth.policy.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The least utilized worker first, or the most utilized one. Utilization is the largest used share of a dimension, in
 * steps of 1/256, or of 1/64 when the most utilized comes first. Among workers on the same step, the lowest index comes
 * first. Each step has a set of workers. A change therefore costs two words, and the next worker is the first fitting one
 * of the first step that has any. When the most utilized comes first, each step has a set for each dimension that is the
 * fullest one, so that a search does not pass over all workers that are full.
 *
 * <p>If it keeps scarce resources, workers without resources that a slot does not request come before all others, and
 * among those the ones whose resources are used least in the whole pool.
 */
public final class ByUtilization implements SlotPlacement.Order {

    private static final int STEPS = 256;
    /** Here each search begins at the first step. */
    private static final int COARSE_STEPS = 64;

    /** So that a share that is exactly a step is not just below it. */
    private static final double ROUNDING = 1e-9;

    private static final int NONE = ScarceResources.NONE;
    /** Stands where no worker ever was. */
    private static final WorkerSet NO_WORKERS = new WorkerSet();

    /** Workers of a group by place: the step of their utilization and, if it has more sets, their fullest dimension. */
    private static final class Steps {

        /** How many sets each step has. */
        private final int width;

        private final WorkerSet[] atPlace;
        /** By place: no worker there has more left of its fullest dimension. */
        private final long[] mostLeft;
        /** The steps that have a worker. */
        private final WorkerSet filled = new WorkerSet();

        private Steps(int steps, int width) {
            this.width = width;
            atPlace = new WorkerSet[(steps + 1) * width];
            Arrays.fill(atPlace, NO_WORKERS);
            mostLeft = new long[atPlace.length];
        }

        private int step(int place) {
            return width == 1 ? place : place / width;
        }

        private void add(int place, int worker) {
            if (atPlace[place] == NO_WORKERS) {
                atPlace[place] = new WorkerSet();
            }
            atPlace[place].add(worker);
            filled.add(step(place));
        }

        private void remove(int place, int worker) {
            atPlace[place].remove(worker);
            if (atPlace[place].size() == 0) {
                mostLeft[place] = 0;
                if (isEmpty(step(place))) {
                    filled.remove(step(place));
                }
            }
        }

        private boolean isEmpty(int step) {
            for (int place = step * width; place < (step + 1) * width; place++) {
                if (atPlace[place].size() > 0) {
                    return false;
                }
            }
            return true;
        }

        private void hasLeft(int place, long amount) {
            mostLeft[place] = Math.max(mostLeft[place], amount);
        }

        /** The first fitting worker of a step; {@link #NONE} when there is none. */
        private int firstOf(int step, FittingWorkers fitting) {
            if (width == 1) {
                return atPlace[step].size() == 0 ? NONE : fitting.firstOf(atPlace[step]);
            }
            int least = NONE;
            for (int dimension = 0; dimension < width; dimension++) {
                int place = step * width + dimension;
                if (atPlace[place].size() > 0 && fitting.atLeast(dimension) <= mostLeft[place]) {
                    int worker = fitting.firstOf(atPlace[place]);
                    least = worker >= 0 && (least < 0 || worker < least) ? worker : least;
                }
            }
            return least;
        }
    }

    private final boolean mostFirst;
    private final boolean keepsScarce;
    private final int steps;
    private final ScarceResources scarce = new ScarceResources();
    private final List<Steps> groups = new ArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private Steps first;

    /** How many sets a step has; 0 before the first worker. */
    private int width;

    private int[] placeOf = new int[0];
    private int[] groupOf = new int[0];

    private ByUtilization(boolean mostFirst, boolean keepsScarce) {
        this.mostFirst = mostFirst;
        this.keepsScarce = keepsScarce;
        steps = mostFirst ? COARSE_STEPS : STEPS;
    }

    /** Slots go one by one to the worker that is least utilized then. New workers are of the smallest spec. */
    public static ByUtilization leastFirst() {
        return leastFirst(false);
    }

    /**
     * The same.
     *
     * @param keepsScarce whether workers without resources that a slot does not request come first
     */
    public static ByUtilization leastFirst(boolean keepsScarce) {
        return new ByUtilization(false, keepsScarce);
    }

    /** The most utilized worker takes as many slots as fit. New workers are of the cheapest spec. */
    public static ByUtilization mostFirst() {
        return mostFirst(false);
    }

    /**
     * The same.
     *
     * @param keepsScarce whether workers without resources that a slot does not request come first
     */
    public static ByUtilization mostFirst(boolean keepsScarce) {
        return new ByUtilization(true, keepsScarce);
    }

    @Override
    public void changed(int worker, FreeRoom room) {
        if (worker >= placeOf.length) {
            grow(worker, room.dimensions());
        }
        int group = keepsScarce ? scarce.changed(worker, room) : 0;
        int before = placeOf[worker];
        int now = room.registered(worker) ? place(worker, room) : NONE;
        int groupBefore = keepsScarce ? groupOf[worker] : 0;
        if (now != before || now != NONE && group != groupBefore) {
            move(worker, groupBefore, group, now);
        }
        if (mostFirst && now != NONE) {
            of(group).hasLeft(now, room.left(worker, now % width));
        }
    }

    private void grow(int worker, int dimensions) {
        int known = placeOf.length;
        placeOf = Arrays.copyOf(placeOf, Math.max(worker + 1, Math.max(64, known * 2)));
        groupOf = keepsScarce ? Arrays.copyOf(groupOf, placeOf.length) : groupOf;
        Arrays.fill(placeOf, known, placeOf.length, NONE);
        if (width == 0) {
            width = mostFirst ? dimensions : 1;
            first = new Steps(steps, width);
            groups.add(first);
        }
    }

    private Steps of(int group) {
        return group == 0 ? first : groups.get(group);
    }

    private void move(int worker, int groupBefore, int group, int now) {
        int before = placeOf[worker];
        if (before != NONE) {
            of(groupBefore).remove(before, worker);
        }
        if (now != NONE) {
            while (group >= groups.size()) {
                groups.add(new Steps(steps, width));
            }
            of(group).add(now, worker);
            if (keepsScarce) {
                groupOf[worker] = group;
            }
        }
        placeOf[worker] = now;
    }

    private int place(int worker, FreeRoom room) {
        int step = step(worker, room);
        return width == 1 ? step : step * width + room.fullest(worker);
    }

    private int step(int worker, FreeRoom room) {
        int step = Math.min(steps, (int) (room.used(worker) * steps + ROUNDING));
        // Steps are numbered in the order in which they are searched.
        return mostFirst ? steps - step : step;
    }

    @Override
    public int next(FittingWorkers fitting) {
        return groups.size() == 1 ? next(first, fitting) : nextOfGroups(fitting);
    }

    /** The usual case, on the path of each slot: all workers are of one group. */
    private int next(Steps workers, FittingWorkers fitting) {
        int from = mostFirst ? 0 : fitting.mark();
        for (int step = workers.filled.next(from); step >= 0; step = workers.filled.next(step + 1)) {
            int worker = workers.firstOf(step, fitting);
            if (worker >= 0) {
                fitting.mark(step);
                return worker;
            }
        }
        fitting.mark(steps + 1);
        return NONE;
    }

    private int nextOfGroups(FittingWorkers fitting) {
        int[] order = fitting.groups(scarce);
        // Within a call, workers only get fuller. If the least utilized comes first, a step without a fitting worker
        // will not get one later.
        int mark = mostFirst ? 0 : fitting.mark();
        int from = mark % (steps + 1);
        int end;
        for (int begin = mark / (steps + 1); begin < order.length; begin = end) {
            end = begin + 1;
            while (end < order.length && ScarceResources.alike(order[begin], order[end])) {
                end++;
            }
            for (int step = filled(order, begin, end, from); step >= 0; step = filled(order, begin, end, step + 1)) {
                int worker = firstOf(order, begin, end, step, fitting);
                if (worker >= 0) {
                    fitting.mark(begin * (steps + 1) + step);
                    return worker;
                }
            }
            from = 0;
        }
        fitting.mark(order.length * (steps + 1));
        return NONE;
    }

    /** The first step from there on that has a worker of any of the groups. */
    private int filled(int[] order, int begin, int end, int from) {
        int least = NONE;
        for (int at = begin; at < end; at++) {
            int step = groups.get(ScarceResources.group(order[at])).filled.next(from);
            least = step >= 0 && (least < 0 || step < least) ? step : least;
        }
        return least;
    }

    private int firstOf(int[] order, int begin, int end, int step, FittingWorkers fitting) {
        int least = NONE;
        for (int at = begin; at < end; at++) {
            int worker = groups.get(ScarceResources.group(order[at])).firstOf(step, fitting);
            least = worker >= 0 && (least < 0 || worker < least) ? worker : least;
        }
        return least;
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
