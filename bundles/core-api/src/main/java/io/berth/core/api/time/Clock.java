package io.berth.core.api.time;

/** The source of time. Timeouts use only the monotonic time; the wall time is for display. */
public interface Clock {

    /** Monotonic, in nanoseconds from an arbitrary origin. */
    long nanos();

    /** Milliseconds since 1970. */
    long wallMillis();

    /** Monotonic, in milliseconds from an arbitrary origin. */
    default long millis() {
        return nanos() / 1_000_000;
    }
}
