package io.berth.core.policies.registration;

/** What a policy is told about time during one call. Thread-safe. */
public interface CallTime {

    /** Monotonic time in milliseconds. */
    long now();

    /** Milliseconds until the deadline of the call, at least 0. */
    long remainingMillis();
}
