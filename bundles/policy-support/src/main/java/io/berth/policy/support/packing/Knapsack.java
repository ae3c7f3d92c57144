package io.berth.policy.support.packing;

import java.util.Arrays;

/**
 * Finds slots that are worth much together and fit on one worker. It fills the worker greedily by worth for what a slot
 * takes, for several weights of the dimensions, and tries to replace one slot by others. Then it searches by branch and
 * bound from the best of these, with a limited number of steps: a better pattern may exist.
 */
final class Knapsack {

    private static final double EPSILON = 1e-9;
    /** Steps from one dimension to another in which weights are tried. */
    private static final int MIXES = 4;

    private final int kinds;
    private final int dimensions;
    private final long[] needs;
    private final int[] left;
    private final double[][] mixes;
    private final Integer[] order;
    private final double[] density;
    private final int[] count;
    private final int[] best;
    private final long[] room;
    /** Of the exact search: how many kinds it looks at, its steps, and what its best pattern is worth. */
    private int candidates;

    private int limit;
    private int steps;
    private double most;
    private double bound;

    Knapsack(int kinds, int dimensions, long[] needs, int[] left) {
        this.kinds = kinds;
        this.dimensions = dimensions;
        this.needs = needs;
        this.left = left.clone();
        mixes = mixes(dimensions);
        order = new Integer[kinds];
        density = new double[kinds];
        count = new int[kinds];
        best = new int[kinds];
        room = new long[dimensions];
    }

    /** All weights on one dimension, all alike, and steps between each two. */
    private static double[][] mixes(int dimensions) {
        int pairs = dimensions * (dimensions - 1) / 2;
        double[][] all = new double[dimensions + 1 + pairs * (MIXES - 1)][dimensions];
        int at = 0;
        Arrays.fill(all[at++], 1);
        for (int one = 0; one < dimensions; one++) {
            all[at++][one] = 1;
            for (int other = one + 1; other < dimensions; other++) {
                for (int step = 1; step < MIXES; step++) {
                    all[at][one] = (double) step / MIXES;
                    all[at++][other] = 1 - (double) step / MIXES;
                }
            }
        }
        return all;
    }

    /**
     * The best pattern found for workers of the bin.
     *
     * @param worth by kind
     * @param maxSteps bounds the exact search
     * @return by kind, how many slots; valid until the next search
     */
    int[] search(Bin bin, double[] worth, int maxSteps) {
        limit = maxSteps;
        steps = 0;
        bound = 0;
        double known = -1;
        Arrays.fill(best, 0);
        for (double[] mix : mixes) {
            double found = fill(bin, worth, mix);
            if (found > known + EPSILON) {
                known = found;
                System.arraycopy(count, 0, best, 0, kinds);
            }
        }
        if (known > 0) {
            branch(bin, worth, known);
        }
        return best;
    }

    /** How many steps the last exact search took. */
    int steps() {
        return steps;
    }

    /** No pattern is worth more than this, with the worths of the last search. */
    double bound() {
        return bound;
    }

    /** Looks for a pattern that is worth more, with the weights under which the bound is the lowest. */
    private void branch(Bin bin, double[] worth, double known) {
        double lowest = Double.POSITIVE_INFINITY;
        double[] chosen = mixes[0];
        for (double[] mix : mixes) {
            double capacity = capacity(bin, mix);
            // A dimension that the worker has nothing of says nothing about the others.
            if (capacity > 0) {
                double all = sort(bin, worth, mix) > 0 ? density[order[0]] * capacity : 0;
                if (all < lowest) {
                    lowest = all;
                    chosen = mix;
                }
            }
        }
        candidates = sort(bin, worth, chosen);
        Arrays.fill(count, 0);
        System.arraycopy(bin.free(), 0, room, 0, dimensions);
        most = known;
        descend(0, 0, capacity(bin, chosen), worth);
        bound = steps > limit ? lowest : most + EPSILON;
    }

    /** What a worker has, in the weighted sum by which {@link #density} is computed. */
    private double capacity(Bin bin, double[] mix) {
        double capacity = 0;
        for (int at = 0; at < dimensions; at++) {
            capacity += bin.free()[at] > 0 ? mix[at] : 0;
        }
        return capacity;
    }

    private void descend(int nth, double value, double rest, double[] worth) {
        if (value > most + EPSILON) {
            most = value;
            System.arraycopy(count, 0, best, 0, kinds);
        }
        if (nth == candidates || steps++ > limit) {
            return;
        }
        int kind = order[nth];
        // No rest of the worker is worth more than with the slots that are worth most for what they take.
        if (value + Math.max(0, rest) * density[kind] <= most + EPSILON) {
            return;
        }
        int fit = fit(kind, left[kind]);
        double size = worth[kind] / density[kind];
        add(kind, fit);
        for (int taken = fit; taken >= 0; taken--) {
            descend(nth + 1, value + taken * worth[kind], rest - taken * size, worth);
            if (taken > 0) {
                add(kind, -1);
            }
        }
    }

    /** Puts the kinds that are worth something and may be on the worker in the order of their density. */
    private int sort(Bin bin, double[] worth, double[] mix) {
        int sorted = 0;
        for (int kind = 0; kind < kinds; kind++) {
            if (worth[kind] > EPSILON && left[kind] > 0 && bin.mayTake(kind, needs)) {
                double size = EPSILON;
                for (int at = 0; at < dimensions; at++) {
                    if (bin.free()[at] > 0) {
                        size += mix[at] * needs[kind * dimensions + at] / bin.free()[at];
                    }
                }
                density[kind] = worth[kind] / size;
                order[sorted++] = kind;
            }
        }
        Arrays.sort(
                order,
                0,
                sorted,
                (one, other) -> density[one] == density[other]
                        ? Integer.compare(one, other)
                        : Double.compare(density[other], density[one]));
        return sorted;
    }

    private double fill(Bin bin, double[] worth, double[] mix) {
        int among = sort(bin, worth, mix);
        Arrays.fill(count, 0);
        System.arraycopy(bin.free(), 0, room, 0, dimensions);
        double total = 0;
        for (int nth = 0; nth < among; nth++) {
            total += take(order[nth], left[order[nth]], worth);
        }
        return total + improve(among, worth);
    }

    private double take(int kind, int most, double[] worth) {
        int fit = fit(kind, most);
        add(kind, fit);
        return fit * worth[kind];
    }

    private int fit(int kind, int most) {
        long fit = (long) most - count[kind];
        for (int at = 0; at < dimensions && fit > 0; at++) {
            long need = needs[kind * dimensions + at];
            fit = need > 0 ? Math.min(fit, room[at] / need) : fit;
        }
        return (int) Math.max(0, fit);
    }

    private void add(int kind, int slots) {
        count[kind] += slots;
        for (int at = 0; at < dimensions; at++) {
            room[at] -= needs[kind * dimensions + at] * slots;
        }
    }

    /** Replaces one slot by the two kinds that are worth more together, as long as that helps. */
    private double improve(int among, double[] worth) {
        double gained = 0;
        for (int round = 0; round < kinds; round++) {
            double most = EPSILON;
            int out = -1;
            int in = -1;
            for (int nth = 0; nth < among; nth++) {
                int kind = order[nth];
                if (count[kind] == 0) {
                    continue;
                }
                add(kind, -1);
                for (int other = 0; other < among; other++) {
                    int by = order[other];
                    if (by != kind && count[by] < left[by]) {
                        double gain = fit(by, left[by]) * worth[by] - worth[kind];
                        if (gain > most) {
                            most = gain;
                            out = kind;
                            in = by;
                        }
                    }
                }
                add(kind, 1);
            }
            if (out < 0) {
                return gained;
            }
            add(out, -1);
            gained += take(in, left[in], worth) - worth[out];
            for (int nth = 0; nth < among; nth++) {
                gained += take(order[nth], left[order[nth]], worth);
            }
        }
        return gained;
    }
}
