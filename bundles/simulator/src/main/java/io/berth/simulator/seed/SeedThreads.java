package io.berth.simulator.seed;

import io.berth.core.api.time.Pools;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** The threads that play seeds. */
public final class SeedThreads {

    private SeedThreads() {}

    /**
     * Runs an action on each of several threads, until all have returned.
     *
     * @param seeds plays one seed after another; thread-safe
     */
    public static void run(int threads, Runnable seeds) throws InterruptedException {
        ExecutorService pool = Pools.fixed("berth-simulator-seeds", threads);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                ends.add(pool.submit(seeds));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException("a seed could not be played", failure.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
