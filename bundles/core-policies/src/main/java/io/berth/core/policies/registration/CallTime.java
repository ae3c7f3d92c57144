package io.berth.core.policies.registration;

/** The time that a policy sees during one call. Thread-safe. */
public interface CallTime {

    /** Monotonic time in milliseconds. */
    long now();

    /** Milliseconds until the deadline of the call, at least 0. */
    long remainingMillis();
}
