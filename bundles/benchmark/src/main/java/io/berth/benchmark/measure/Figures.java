package io.berth.benchmark.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** The costs of several runs of the same work. */
public final class Figures {

    /** Median, minimum and maximum of one quantity. */
    public record Spread(long median, long least, long most) {}

    private final List<Long> cpu = new ArrayList<>();
    private final List<Long> wall = new ArrayList<>();
    private final List<Long> allocated = new ArrayList<>();

    /** Adds a run. */
    public void add(long cpuNanos, long wallNanos, long bytes) {
        cpu.add(cpuNanos);
        wall.add(wallNanos);
        allocated.add(bytes);
    }

    public int runs() {
        return cpu.size();
    }

    public Spread cpuNanos() {
        return spread(cpu);
    }

    public Spread wallNanos() {
        return spread(wall);
    }

    public Spread bytes() {
        return spread(allocated);
    }

    /** The upper of the two in the middle, if there are two. */
    public static double median(double[] values) {
        double[] sorted = DoubleStream.of(values).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        return sorted[sorted.length / 2];
    }

    private static Spread spread(List<Long> values) {
        long[] sorted = values.stream().flatMapToLong(LongStream::of).sorted().toArray();
        if (sorted.length == 0) {
            throw new IllegalStateException("nothing was measured");
        }
        return new Spread(sorted[sorted.length / 2], sorted[0], sorted[sorted.length - 1]);
    }
}
