package io.berth.core.scheduler.job;

import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The main thread of one job and the timers that are set on it. Closing it calls all timers off, so that nothing holds
 * an ended job until they would have run. All methods but {@link #execute} and {@link #call} are for the main thread.
 */
public final class JobThread {

    private static final Logger LOG = LoggerFactory.getLogger(JobThread.class);

    private final MainThread mainThread;
    private final Set<Timer> timers = new LinkedHashSet<>();

    public JobThread(MainThread mainThread) {
        this.mainThread = mainThread;
    }

    public void execute(Runnable action) {
        mainThread.execute(action);
    }

    public <T> CompletionStage<T> call(Callable<T> call) {
        return mainThread.call(call);
    }

    /** Handles the outcome of a stage on the main thread. */
    public <T> void whenComplete(CompletionStage<T> stage, BiConsumer<? super T, ? super Throwable> handler) {
        mainThread.whenComplete(stage, handler);
    }

    public Cancellable schedule(long delayMillis, Runnable action) {
        assertCurrent();
        Timer timer = new Timer(action);
        timers.add(timer);
        timer.handle = mainThread.schedule(delayMillis, timer);
        return timer;
    }

    public void assertCurrent() {
        mainThread.assertCurrent();
    }

    public void close() {
        mainThread.close();
        for (Timer timer : List.copyOf(timers)) {
            try {
                timer.cancel();
            } catch (RuntimeException failure) {
                LOG.debug("a timer of an ended job was not called off: it will have no effect", failure);
            }
        }
    }

    private final class Timer implements Runnable, Cancellable {

        private final Runnable action;
        private Cancellable handle = () -> {};

        Timer(Runnable action) {
            this.action = action;
        }

        @Override
        public void run() {
            if (timers.remove(this)) {
                action.run();
            }
        }

        @Override
        public void cancel() {
            if (timers.remove(this)) {
                handle.cancel();
            }
        }
    }
}
