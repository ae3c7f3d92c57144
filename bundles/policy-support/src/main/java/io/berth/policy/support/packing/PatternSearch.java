package io.berth.policy.support.packing;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Finds which slots fit together on one worker. Three greedy searches choose each slot by another measure, and the
 * pattern that fills the worker best wins. The measures: the slot that is most like what is left of the worker, weighted
 * by how scarce each dimension is; the largest slot; the slot that leaves the least.
 */
final class PatternSearch {

    private static final int MEASURES = 3;

    private final int dimensions;
    private final int kinds;
    private final long[] needs;
    /** By kind and dimension, what a slot takes in units of {@link #unit}, weighted by how scarce the dimension is. */
    private final double[] weighted;

    private final double[] unit;
    private final double[] scarcity;
    private final long[] room;
    private final int[] count;
    private final int[] best;
    /** Kinds that may still fit, while one search runs. */
    private final int[] open;

    /** How good {@link #best} is. */
    private double value;

    PatternSearch(RequestedSlots requested) {
        dimensions = requested.dimensions().length;
        kinds = requested.kinds();
        needs = requested.needs();
        weighted = new double[kinds * dimensions];
        unit = new double[dimensions];
        scarcity = new double[dimensions];
        room = new long[dimensions];
        count = new int[kinds];
        best = new int[kinds];
        open = new int[kinds];
    }

    /** How much one slot of each kind weighs follows from what is requested of each dimension. */
    void weigh(int[] left) {
        double[] asked = new double[dimensions];
        for (int kind = 0; kind < kinds; kind++) {
            for (int at = 0; at < dimensions; at++) {
                asked[at] += (double) needs[kind * dimensions + at] * left[kind];
            }
        }
        System.arraycopy(asked, 0, unit, 0, dimensions);
    }

    /**
     * Searches for a worker with this room.
     *
     * @param left by kind, how many slots there are
     * @return by kind, how many slots the worker takes; valid until the next search
     */
    int[] search(long[] free, int[] left, BitSet excluded) {
        for (int at = 0; at < dimensions; at++) {
            // What is asked of this dimension in numbers of such workers: the more, the scarcer it is.
            scarcity[at] = free[at] > 0 ? unit[at] / free[at] : 0;
        }
        for (int kind = 0; kind < kinds; kind++) {
            for (int at = 0; at < dimensions; at++) {
                int index = kind * dimensions + at;
                weighted[index] = free[at] > 0 ? needs[index] / (double) free[at] : 0;
            }
        }
        value = -1;
        Arrays.fill(best, 0);
        for (int measure = 0; measure < MEASURES; measure++) {
            fill(measure, free, left, excluded);
        }
        return best;
    }

    /** How well the pattern fills the worker: shares of its dimensions, weighted by how scarce they are. */
    double value() {
        return value;
    }

    private void fill(int measure, long[] free, int[] left, BitSet excluded) {
        System.arraycopy(free, 0, room, 0, dimensions);
        Arrays.fill(count, 0);
        int opened = 0;
        for (int kind = 0; kind < kinds; kind++) {
            if (left[kind] > 0 && !excluded.get(kind)) {
                open[opened++] = kind;
            }
        }
        while (opened > 0) {
            int chosen = -1;
            double score = 0;
            int kept = 0;
            for (int nth = 0; nth < opened; nth++) {
                int kind = open[nth];
                if (count[kind] == left[kind] || !fits(kind)) {
                    continue;
                }
                open[kept++] = kind;
                double its = score(measure, kind, free);
                if (chosen < 0 || its > score) {
                    chosen = kind;
                    score = its;
                }
            }
            opened = kept;
            if (chosen >= 0) {
                count[chosen]++;
                for (int at = 0; at < dimensions; at++) {
                    room[at] -= needs[chosen * dimensions + at];
                }
            }
        }
        double filled = 0;
        for (int at = 0; at < dimensions; at++) {
            if (free[at] > 0) {
                filled += scarcity[at] * (free[at] - room[at]) / free[at];
            }
        }
        if (filled > value) {
            value = filled;
            System.arraycopy(count, 0, best, 0, kinds);
        }
    }

    private boolean fits(int kind) {
        for (int at = 0; at < dimensions; at++) {
            if (needs[kind * dimensions + at] > room[at]) {
                return false;
            }
        }
        return true;
    }

    private double score(int measure, int kind, long[] free) {
        double score = 0;
        for (int at = 0; at < dimensions; at++) {
            double share = weighted[kind * dimensions + at];
            double rest = free[at] > 0 ? room[at] / (double) free[at] : 0;
            switch (measure) {
                case 0 -> score += scarcity[at] * share * rest;
                case 1 -> score += scarcity[at] * share;
                default -> score -= scarcity[at] * (rest - share) * (rest - share);
            }
        }
        return score;
    }
}
