package io.berth.runtime.service;

import io.berth.core.api.time.Timers;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The calls of one task to its service, one at a time, on the thread of the task. One that takes too long is interrupted, every
 * second until it returns: user code may swallow an interrupt. One that ignores {@link #STUCK_INTERRUPTS} of them is stuck.
 */
final class Calls {

    private static final Logger LOG = LoggerFactory.getLogger(Calls.class);
    private static final long REPEAT_MILLIS = 1_000;
    /** Its stack is logged so often: a minute. */
    private static final int INTERRUPTS_PER_STACK = 60;

    static final int STUCK_INTERRUPTS = 10;

    private final String task;
    private final Thread thread;
    private final Timers timers;
    private final Consumer<String> onStuck;
    /** Number of the call that runs; 0: none does. */
    private long running;

    private long count;
    /** How often the call was interrupted because it is overdue. */
    private int interrupts;

    /**
     * @param thread that makes the calls
     * @param onStuck receives, on a thread of the timers, what the call is that is stuck
     */
    Calls(String task, Thread thread, Timers timers, Consumer<String> onStuck) {
        this.task = task;
        this.thread = thread;
        this.timers = timers;
        this.onStuck = onStuck;
    }

    /**
     * Makes a call.
     *
     * @param what name of the method
     * @throws TimeoutException when it took too long, whatever it returned
     * @throws Exception what the service threw
     */
    <T> T call(String what, long millis, Callable<T> call) throws Exception {
        long number = begin();
        Cancellable deadline = timers.schedule(millis, () -> late(number, what, millis));
        try {
            T result = call.call();
            if (end()) {
                throw new TimeoutException(tooLong(what, millis));
            }
            return result;
        } catch (Exception | Error thrown) {
            if (end() && !(thrown instanceof TimeoutException)) {
                TimeoutException late = new TimeoutException(tooLong(what, millis));
                late.initCause(thrown);
                throw late;
            }
            throw thrown;
        } finally {
            deadline.cancel();
        }
    }

    private static String tooLong(String what, long millis) {
        return what + " has not returned within " + millis + " ms";
    }

    /** Interrupts the call that runs, if one does: its result is no longer needed. */
    synchronized void interrupt() {
        if (running != 0) {
            thread.interrupt();
        }
    }

    private synchronized long begin() {
        count++;
        running = count;
        interrupts = 0;
        return count;
    }

    /** Returns whether the call was overdue. A late interrupt must not disturb the next one. */
    private synchronized boolean end() {
        running = 0;
        Thread.interrupted();
        return interrupts > 0;
    }

    private void late(long number, String what, long millis) {
        int ignored;
        synchronized (this) {
            if (running != number) {
                return;
            }
            ignored = interrupts;
            interrupts++;
            thread.interrupt();
        }
        // Not under the lock, which the main thread of the worker takes.
        if (ignored % INTERRUPTS_PER_STACK == 1) {
            StringBuilder stack = new StringBuilder();
            for (StackTraceElement frame : thread.getStackTrace()) {
                stack.append("\n    at ").append(frame);
            }
            LOG.warn("task {}: {} of its service ignores that it is interrupted. It stands{}", task, what, stack);
        }
        if (ignored == STUCK_INTERRUPTS) {
            onStuck.accept(tooLong(what, millis) + ", and ignores that it is interrupted");
        }
        timers.schedule(REPEAT_MILLIS, () -> late(number, what, millis));
    }
}
