package io.berth.core.api.time;

/** Runs something later. Injected, so that a simulator can own time. */
public interface Timers {

    /** Runs {@code action} on a timer thread after at least {@code delayMillis}; it must be short. */
    Cancellable schedule(long delayMillis, Runnable action);

    /** Something that can be called off; calling it off again, or when it has run, does nothing. */
    interface Cancellable {
        void cancel();
    }
}
