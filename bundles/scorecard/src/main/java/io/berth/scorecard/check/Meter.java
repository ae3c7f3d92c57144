package io.berth.scorecard.check;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread has used since some moment. */
public interface Meter {

    /** Processor time, in nanoseconds. */
    long nanos();

    /** Allocated bytes. */
    long bytes();

    /** What the virtual machine counts. */
    static Meter ofThread() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        return new Meter() {

            @Override
            public long nanos() {
                return threads.getCurrentThreadCpuTime();
            }

            @Override
            public long bytes() {
                return threads.getCurrentThreadAllocatedBytes();
            }
        };
    }
}
