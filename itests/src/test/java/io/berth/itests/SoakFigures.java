package io.berth.itests;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The measured values, and a report for people. */
final class SoakFigures {

    private static final double TOLERANCE = 0.10;
    private static final int MAX_SLOW = 12;

    private record Slow(long micros, String what) {}

    private final Map<String, List<Long>> micros = new LinkedHashMap<>();
    private final Map<String, Integer> counts = new TreeMap<>();
    private final Map<String, List<Double>> samples = new TreeMap<>();
    private final List<Slow> slowest = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    void micros(String what, long value) {
        micros.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    }

    void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    /** Only the slowest of these are kept. */
    void slow(long value, String what) {
        slowest.add(new Slow(value, what));
        slowest.sort(Comparator.comparingLong(Slow::micros).reversed());
        if (slowest.size() > MAX_SLOW) {
            slowest.remove(MAX_SLOW);
        }
    }

    void note(String text) {
        notes.add(text);
    }

    /** What this process uses, without garbage. */
    void sample() throws IOException {
        System.gc();
        System.gc();
        add("heap KiB", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024.0);
        for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
            if (pool.getName().equals("Metaspace")) {
                add("metaspace KiB", pool.getUsage().getUsed() / 1024.0);
            }
        }
        add("threads", ManagementFactory.getThreadMXBean().getThreadCount());
        add("fds", ProcessSample.entries(Path.of("/proc/self/fd")));
    }

    private void add(String what, double value) {
        samples.computeIfAbsent(what, key -> new ArrayList<>()).add(value);
    }

    /** Checks that the last quarter equals the second one. */
    void assertFlat() {
        samples.forEach((what, values) -> assertTrue(
                what + " changed by " + percent(values) + " %: " + values,
                Math.abs(percent(values)) <= 100 * TOLERANCE));
    }

    private static double percent(List<Double> values) {
        return Math.round(1_000 * (last(values) / second(values) - 1)) / 10.0;
    }

    private static double second(List<Double> values) {
        return mean(values.subList(values.size() / 4, Math.max(values.size() / 2, values.size() / 4 + 1)));
    }

    private static double last(List<Double> values) {
        return mean(values.subList(values.size() * 3 / 4, values.size()));
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    static long quantile(List<Long> values, double part) {
        long[] sorted = values.stream().mapToLong(Long::longValue).sorted().toArray();
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)];
    }

    String text() {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append(note).append('\n'));
        text.append(String.format(
                "%n%-44s %8s %10s %10s %10s %10s%n", "milliseconds", "count", "p50", "p99", "p99.9", "most"));
        micros.forEach((what, values) -> text.append(String.format(
                "%-44s %8d %10.3f %10.3f %10.3f %10.3f%n",
                what,
                values.size(),
                quantile(values, 0.5) / 1_000.0,
                quantile(values, 0.99) / 1_000.0,
                quantile(values, 0.999) / 1_000.0,
                quantile(values, 1) / 1_000.0)));
        text.append(String.format(
                "%n%-44s %14s %14s %9s%n", "after collection", "second quarter", "last quarter", "change"));
        samples.forEach((what, values) -> text.append(String.format(
                "%-44s %14.0f %14.0f %8.1f%%   %s%n",
                what,
                second(values),
                last(values),
                percent(values),
                Arrays.toString(values.stream().mapToLong(Math::round).toArray()))));
        text.append(String.format("%ncollections of garbage%n"));
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            text.append(String.format(
                    "%-44s %8d, %d ms in all%n",
                    collector.getName(), collector.getCollectionCount(), collector.getCollectionTime()));
        }
        text.append(String.format("%nmost added, milliseconds%n"));
        slowest.forEach(slow -> text.append(String.format("%10.3f %s%n", slow.micros() / 1_000.0, slow.what())));
        text.append('\n');
        counts.forEach((what, count) -> text.append(String.format("%-44s %8d%n", what, count)));
        return text.toString();
    }
}
