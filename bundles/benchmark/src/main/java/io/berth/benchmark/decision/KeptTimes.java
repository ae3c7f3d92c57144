package io.berth.benchmark.decision;

import io.berth.benchmark.report.Report;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The times of decisions that were made under one condition, in several turns. Percentiles are of the nearest rank. */
public final class KeptTimes {

    private static final double TAIL = 0.999;

    /** Each in order of size. */
    private final List<long[]> turns = new ArrayList<>();

    /** Adds a turn, which has at least one decision. */
    public void add(long[] nanos) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        turns.add(sorted);
    }

    /** How many decisions there are. */
    public int size() {
        return turns.stream().mapToInt(turn -> turn.length).sum();
    }

    /** The 99.9 % of each turn, in nanoseconds. */
    long[] tails() {
        return turns.stream().mapToLong(turn -> percentile(turn, TAIL)).toArray();
    }

    /** Adds percentiles in microseconds to a report, under the name of the condition: of all turns, and of the usual one. */
    public void write(Report report, String name) {
        long[] all = turns.stream().flatMapToLong(Arrays::stream).sorted().toArray();
        long[] tails = tails();
        Arrays.sort(tails);
        report.number(name + "P50", percentile(all, 0.5) / 1e3)
                .number(name + "P99", percentile(all, 0.99) / 1e3)
                .number(name + "P999", percentile(all, TAIL) / 1e3)
                .number(name + "P999OfTurn", percentile(tails, 0.5) / 1e3)
                .number(name + "Max", all[all.length - 1] / 1e3);
    }

    private static long percentile(long[] sorted, double share) {
        return sorted[(int) Math.ceil(sorted.length * share) - 1];
    }
}
