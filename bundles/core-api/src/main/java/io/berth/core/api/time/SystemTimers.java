package io.berth.core.api.time;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on a daemon thread, which ends with {@link #close}. */
public final class SystemTimers implements Timers, AutoCloseable {

    private final ScheduledThreadPoolExecutor executor;

    /**
     * @param threadName for example {@code berth-core-resources-timers}
     */
    public SystemTimers(String threadName) {
        executor = new ScheduledThreadPoolExecutor(1, action -> {
            Thread thread = new Thread(action, threadName);
            thread.setDaemon(true);
            return thread;
        });
        executor.setRemoveOnCancelPolicy(true);
        executor.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
    }

    @Override
    public Cancellable schedule(long delayMillis, Runnable action) {
        if (executor.isShutdown()) {
            return () -> {};
        }
        Future<?> future = executor.schedule(action, delayMillis, TimeUnit.MILLISECONDS);
        return () -> future.cancel(false);
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
