package io.berth.itests;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;
import javax.management.ObjectName;

/**
 * What this JVM uses after a garbage collection, and what it does while it is idle.
 *
 * @param threads live threads by name, with each number in a name replaced by #
 * @param cpuMillis CPU time of one second, by the same names, without threads of the JVM itself
 * @param heapBytes used
 * @param objects live instances of the classes of Berth
 */
record ControlPlaneSample(
        SortedMap<String, Integer> threads,
        SortedMap<String, Double> cpuMillis,
        long heapBytes,
        SortedMap<String, Long> objects) {

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    /** Waits for some time, so that only background work is measured, then samples. */
    static ControlPlaneSample of(Duration rest) throws Exception {
        SortedMap<Long, Long> before = cpuNanos();
        long start = System.nanoTime();
        for (long left = rest.toNanos(); left > 0; left = start + rest.toNanos() - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
        SortedMap<Long, Long> after = cpuNanos();
        double seconds = (System.nanoTime() - start) / 1e9;
        SortedMap<String, Integer> threads = new TreeMap<>();
        SortedMap<String, Double> cpu = new TreeMap<>();
        after.forEach((id, nanos) -> {
            // Absent when it has just ended.
            var info = THREADS.getThreadInfo(id);
            if (info != null) {
                String name = info.getThreadName().replaceAll("[0-9]+", "#");
                threads.merge(name, 1, Integer::sum);
                cpu.merge(name, (nanos - before.getOrDefault(id, 0L)) / 1e6 / seconds, Double::sum);
            }
        });
        SortedMap<String, Long> objects = liveObjects();
        System.gc();
        return new ControlPlaneSample(
                threads,
                cpu,
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                objects);
    }

    private static SortedMap<Long, Long> cpuNanos() {
        SortedMap<Long, Long> nanos = new TreeMap<>();
        for (long id : THREADS.getAllThreadIds()) {
            nanos.put(id, Math.max(0, THREADS.getThreadCpuTime(id)));
        }
        return nanos;
    }

    /** Collects garbage first, as the tool on the command line does. */
    static SortedMap<String, Long> liveObjects() throws Exception {
        String histogram = (String) ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        SortedMap<String, Long> objects = new TreeMap<>();
        histogram
                .lines()
                .map(line -> line.strip().split("\\s+"))
                .filter(parts -> parts.length >= 4 && parts[3].startsWith("io.berth."))
                .forEach(parts -> objects.merge(parts[3], Long.valueOf(parts[1]), Long::sum));
        return objects;
    }

    int threadCount() {
        return threads.values().stream().mapToInt(Integer::intValue).sum();
    }

    double cpuMillisPerSecond() {
        return cpuMillis.values().stream().mapToDouble(Double::doubleValue).sum();
    }

    /** The threads that use most. */
    List<String> busiest(int most) {
        return cpuMillis.entrySet().stream()
                .sorted(Map.Entry.<String, Double>comparingByValue().reversed())
                .limit(most)
                .map(entry -> String.format("%s %.1f", entry.getKey(), entry.getValue()))
                .toList();
    }

    /** Names with more threads than before, with both numbers. */
    List<String> moreThreadsThan(ControlPlaneSample before) {
        return threads.entrySet().stream()
                .filter(entry -> entry.getValue() > before.threads.getOrDefault(entry.getKey(), 0))
                .map(entry -> entry.getKey() + " " + before.threads.getOrDefault(entry.getKey(), 0) + " -> "
                        + entry.getValue())
                .toList();
    }
}
