package io.berth.benchmark.measure;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.Map;

/**
 * Processor time and allocated bytes of all Java threads of this process at a moment. A decision runs in several
 * threads: the caller, the main thread of the planner, and a guard thread of each bundle. So the difference of two
 * moments is summed over all threads, thread by thread. Other threads (garbage collector, compiler) do not count, as
 * they do not count when one thread is measured. Nothing else may run during a measurement. A thread that ends in
 * between takes its share with it; the pools in use keep their threads for 30 s.
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
            // -1 for a thread that has just ended.
            sum += Math.max(0, now[at] - base.getOrDefault(ids[at], 0L));
        }
        return sum;
    }
}
