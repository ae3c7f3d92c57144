package io.berth.benchmark.decision;

import io.berth.benchmark.report.Report;
import java.util.Arrays;

/**
 * Whether the slowest decisions under one condition are about as fast as those under another. A shared or small machine
 * stops a process for milliseconds now and then, and such stops are the slowest thousandth of all decisions, under any
 * condition. So the 99.9 % of each turn is divided by that of the other condition's turn in the same round, and the median
 * of the rounds counts.
 */
public final class TailComparison {

    private static final double MOST = 1.1;
    /** Of a normal distribution, for the interval in which 95 % are. */
    private static final double DEVIATIONS = 1.96;

    /** One for each round, in order of size. */
    private final double[] quotients;

    /**
     * @param measured turns of the condition
     * @param baseline as many turns of the other one
     */
    public TailComparison(KeptTimes measured, KeptTimes baseline) {
        long[] tails = measured.tails();
        long[] others = baseline.tails();
        quotients = new double[tails.length];
        for (int round = 0; round < tails.length; round++) {
            quotients[round] = (double) tails[round] / others[round];
        }
        Arrays.sort(quotients);
    }

    /** The median. */
    double median() {
        return (quotients[(quotients.length - 1) / 2] + quotients[quotients.length / 2]) / 2;
    }

    /** The lower end of the interval in which the median of very many rounds is, with a probability of 95 %. */
    double low() {
        return quotients[lowest()];
    }

    /** The upper end. */
    double high() {
        return quotients[quotients.length - 1 - lowest()];
    }

    private int lowest() {
        double rank = (quotients.length - DEVIATIONS * Math.sqrt(quotients.length)) / 2;
        return Math.max(0, (int) Math.floor(rank));
    }

    /** Whether the median is at most 10 % above. */
    public boolean isMet() {
        return median() <= MOST;
    }

    /**
     * Adds the median, its interval and the verdict to a report.
     *
     * @return whether the aim is met
     */
    public boolean write(Report report, String name) {
        report.ratio(name + "Quotient", median())
                .ratio(name + "QuotientLow", low())
                .ratio(name + "QuotientHigh", high())
                .text(name + "Within10Percent", isMet() ? "met" : "missed");
        return isMet();
    }
}
