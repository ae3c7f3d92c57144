package io.berth.core.api.time;

/** Where time comes from. Time-outs use the monotonic time only; the wall time is for display. */
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
