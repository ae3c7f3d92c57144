package io.berth.core.api.time;

/** Runs actions later. Injected, so that a simulator can control time. */
public interface Timers {

    /** Runs {@code action} on a timer thread after at least {@code delayMillis}; it must be short. */
    Cancellable schedule(long delayMillis, Runnable action);

    /** A scheduled action. Canceling it again, or after it has run, has no effect. */
    interface Cancellable {
        void cancel();
    }
}
