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
            Thread thread = new Thread(action, name + "-" + count.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }
}
