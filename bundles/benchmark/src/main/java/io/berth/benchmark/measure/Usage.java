package io.berth.benchmark.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time and allocated bytes of all Java threads of this process up to a moment. A decision passes through
 * several: who asks, the planner's main thread, a guard thread of each bundle. So the difference of two moments is taken
 * over all threads, by thread, and what runs in none of them (the collector, the compiler) counts for nothing, as it
 * counts for nothing where one thread is measured. Whoever measures lets nothing else run meanwhile. A thread that ends in
 * between takes its share along: the pools in use keep theirs for 30 s.
 */
final class Usage {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final long[] ids;
    private final long[] cpuNanos;
    private final long[] bytes;

    private Usage(long[] ids, long[] cpuNanos, long[] bytes) {
        this.ids = ids;
        this.cpuNanos = cpuNanos;
        this.bytes = bytes;
    }

    static Usage now() {
        long[] ids = THREADS.getAllThreadIds();
        return new Usage(ids, THREADS.getThreadCpuTime(ids), THREADS.getThreadAllocatedBytes(ids));
    }

    /** Nanoseconds of processor time since {@code before}. */
    long cpuNanosSince(Usage before) {
        return grown(before.ids, before.cpuNanos, cpuNanos);
    }

    /** Bytes allocated since {@code before}. */
    long bytesSince(Usage before) {
        return grown(before.ids, before.bytes, bytes);
    }

    private long grown(long[] idsBefore, long[] before, long[] now) {
        Map<Long, Long> base = new HashMap<>();
        for (int at = 0; at < idsBefore.length; at++) {
            base.put(idsBefore[at], Math.max(0, before[at]));
        }
        long sum = 0;
        for (int at = 0; at < ids.length; at++) {
            // -1 of a thread that has just ended.
            sum += Math.max(0, now[at] - base.getOrDefault(ids[at], 0L));
        }
        return sum;
    }
}
