package io.berth.core.api.time;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Thread pools with named daemon threads. */
public final class Pools {

    private Pools() {}

    /**
     * A pool of a fixed number of threads, for the main threads of a bundle's components.
     *
     * @param name prefix of the thread names, for example {@code berth-core-resources-main}
     */
    public static ExecutorService fixed(String name, int threads) {
        AtomicInteger count = new AtomicInteger();
        return Executors.newFixedThreadPool(threads, action -> {
            // The caller that needs one more thread must not leave its thread locals in it.
            Thread thread = new Thread(null, action, name + "-" + count.incrementAndGet(), 0, false);
            thread.setDaemon(true);
            return thread;
        });
    }
}
