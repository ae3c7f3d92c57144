package io.berth.core.api.time;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Timers on a daemon thread, which ends with {@link #close}. */
public final class SystemTimers implements Timers, AutoCloseable {

    private static final long TICK_MILLIS = 1_000;

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
        // A task that is due before all others wakes the thread. Deadlines of calls are set and cancelled all the time;
        // most of them are longer than this, so they do not come first.
        executor.scheduleWithFixedDelay(() -> {}, TICK_MILLIS, TICK_MILLIS, TimeUnit.MILLISECONDS);
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
