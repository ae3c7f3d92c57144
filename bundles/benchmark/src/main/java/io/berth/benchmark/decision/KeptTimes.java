package io.berth.benchmark.decision;

import io.berth.benchmark.report.Report;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The times of decisions that were made under one condition, in several turns. */
public final class KeptTimes {

    private long[] nanos = {};

    public void add(long[] more) {
        int size = nanos.length;
        nanos = Arrays.copyOf(nanos, size + more.length);
        System.arraycopy(more, 0, nanos, size, more.length);
    }

    public int size() {
        return nanos.length;
    }

    /** Adds percentiles in microseconds to a report, under the name of the condition. */
    public void write(Report report, String name) {
        long[] sorted = LongStream.of(nanos).sorted().toArray();
        report.number(name + "P50", sorted[sorted.length / 2] / 1e3)
                .number(name + "P99", sorted[(int) (sorted.length * 0.99)] / 1e3)
                .number(name + "P999", sorted[(int) (sorted.length * 0.999)] / 1e3)
                .number(name + "Max", sorted[sorted.length - 1] / 1e3);
    }
}
