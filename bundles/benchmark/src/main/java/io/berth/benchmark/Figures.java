package io.berth.benchmark;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;

/** What several runs of the same thing took. */
final class Figures {

    /** Median, least and most of one quantity. */
    record Spread(long median, long least, long most) {}

    private final List<Long> cpu = new ArrayList<>();
    private final List<Long> wall = new ArrayList<>();
    private final List<Long> allocated = new ArrayList<>();

    /** One run more. */
    void add(long cpuNanos, long wallNanos, long bytes) {
        cpu.add(cpuNanos);
        wall.add(wallNanos);
        allocated.add(bytes);
    }

    int runs() {
        return cpu.size();
    }

    Spread cpuNanos() {
        return spread(cpu);
    }

    Spread wallNanos() {
        return spread(wall);
    }

    Spread bytes() {
        return spread(allocated);
    }

    private static Spread spread(List<Long> values) {
        long[] sorted = values.stream().flatMapToLong(LongStream::of).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
