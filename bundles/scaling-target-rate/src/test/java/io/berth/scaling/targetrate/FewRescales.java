package io.berth.scaling.targetrate;

import java.util.Arrays;

/**
 * What no plan with few rescales undercuts, even one that knows the future. A plan has a number of tasks from each rescale
 * to the next one, and may rescale at any minute: a step of several minutes with a rescale in it counts as if one task were enough. It may have too few in a share of the time. Both limits are priced instead (a Lagrangian relaxation): the
 * cheapest plan under given prices, less what the limits would cost, is at most what the best plan within the limits
 * takes.
 */
final class FewRescales {

    private static final double[] PRICES_OF_RESCALE = {0, 10, 20, 50, 100, 150, 200, 300};
    private static final double[] PRICES_OF_MINUTE = {0, 4, 8, 12, 16, 20};

    private final int[][] minutesByNeed;
    private final int stepMinutes;
    private final int most;
    private final int longest;

    /**
     * A load, step by step.
     *
     * @param minutesByNeed by step and number of tasks, how many of its minutes need just as many
     * @param longest after so many steps a rescale costs nothing; fewer are faster, and make the bound lower
     */
    FewRescales(int[][] minutesByNeed, int stepMinutes, int longest) {
        this.minutesByNeed = minutesByNeed;
        this.stepMinutes = stepMinutes;
        this.most = minutesByNeed[0].length - 1;
        this.longest = longest;
    }

    /** At least so many minutes of tasks are taken by a plan with so many rescales that is behind for so long. */
    double taskMinutes(double rescales, double behindMinutes) {
        double bound = 0;
        for (double perRescale : PRICES_OF_RESCALE) {
            for (double perMinute : PRICES_OF_MINUTE) {
                bound = Math.max(
                        bound, cheapest(perRescale, perMinute) - perRescale * rescales - perMinute * behindMinutes);
            }
        }
        return bound;
    }

    private double cheapest(double perRescale, double perMinute) {
        int steps = minutesByNeed.length;
        double[] until = new double[steps + 1];
        Arrays.fill(until, 1, steps + 1, Double.POSITIVE_INFINITY);
        long[] lacking = new long[most + 1];
        for (int from = 0; from < steps; from++) {
            Arrays.fill(lacking, 0);
            for (int to = from; to < steps && to - from < longest; to++) {
                for (int need = 2; need <= most; need++) {
                    for (int tasks = 1; tasks < need && minutesByNeed[to][need] > 0; tasks++) {
                        lacking[tasks] += minutesByNeed[to][need];
                    }
                }
                double least = Double.POSITIVE_INFINITY;
                for (int tasks = 1; tasks <= most; tasks++) {
                    least = Math.min(
                            least, (double) (to - from + 1) * stepMinutes * tasks + perMinute * lacking[tasks]);
                }
                double rescale = to - from + 1 == longest ? 0 : perRescale;
                double sum = until[from] + rescale + least;
                until[to + 1] = Math.min(until[to + 1], sum);
                if (stepMinutes > 1 && to + 2 <= steps) {
                    until[to + 2] = Math.min(until[to + 2], sum + stepMinutes);
                }
            }
            // Another step with a rescale, and none between that has a number of tasks all the time.
            if (stepMinutes > 1) {
                until[from + 1] = Math.min(until[from + 1], until[from] + perRescale + stepMinutes);
            }
        }
        // The first number of tasks is no rescale.
        return until[steps] - perRescale;
    }
}
