package io.berth.simulator.replay.measure;

import java.util.Arrays;
import java.util.Collection;
import java.util.OptionalDouble;

/** Statistics of many values; empty if there are no values. */
public final class Statistics {

    private Statistics() {}

    public static OptionalDouble mean(double[] values) {
        return Arrays.stream(values).average();
    }

    public static OptionalDouble most(double[] values) {
        return Arrays.stream(values).max();
    }

    /** The smallest value that is greater than or equal to at least {@code share} of all values (nearest rank). */
    public static OptionalDouble percentile(double[] values, double share) {
        if (values.length == 0) {
            return OptionalDouble.empty();
        }
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        int rank = (int) Math.ceil(share * sorted.length);
        return OptionalDouble.of(sorted[Math.max(1, rank) - 1]);
    }

    /** Jain's index of fairness: 1 when all are equal, 1/n when one of n has everything; 1 when all have nothing. */
    static OptionalDouble jain(Collection<Double> values) {
        if (values.isEmpty()) {
            return OptionalDouble.empty();
        }
        double sum = 0;
        double squares = 0;
        for (double value : values) {
            sum += value;
            squares += value * value;
        }
        return OptionalDouble.of(squares == 0 ? 1 : sum * sum / (values.size() * squares));
    }
}
