package io.berth.policy.rules;

import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Whether a builder may still be used, and the first rule that its user broke. A builder is confined to the thread of
 * one call.
 */
public final class BuilderAccess {

    private static final long MAX_REVIEW_MILLIS = 86_400_000;

    /** The thread that may use the builder; none before the call, after it, and after a violation. */
    private volatile @Nullable Thread user;

    private volatile boolean closed;
    private volatile boolean usedLate;
    /** 0: none. */
    private volatile long reviewMillis;

    @SuppressWarnings("NullAway.Init")
    private volatile String violation;

    /** The call begins, on this thread, unless it was given up before. */
    public void begin() {
        begin(Thread.currentThread());
    }

    /** The call begins, on a thread, unless it was given up before. */
    public void begin(Thread caller) {
        user = caller;
        // In this order, because another thread may end the call meanwhile.
        if (closed || violation != null) {
            user = null;
        }
    }

    /** The call is over; later uses have no effect. */
    public void end() {
        closed = true;
        user = null;
    }

    /** Whether the builder may be used now. */
    public boolean open() {
        if (Thread.currentThread() == user) {
            return true;
        }
        if (closed) {
            usedLate = true;
        } else if (violation == null) {
            violated("uses its result from another thread");
        }
        return false;
    }

    public void violated(String text) {
        if (violation == null) {
            violation = text;
        }
        user = null;
    }

    /** Another call after some time; the smallest one counts. */
    public void review(long millis) {
        if (!open()) {
            return;
        }
        if (millis < 1 || millis > MAX_REVIEW_MILLIS) {
            violated("asks for a review after " + millis + " ms: 1 to " + MAX_REVIEW_MILLIS + " is allowed");
            return;
        }
        reviewMillis = reviewMillis == 0 ? millis : Math.min(reviewMillis, millis);
    }

    /** When the policy wishes to be called again at the latest. */
    public OptionalLong reviewMillis() {
        return reviewMillis == 0 ? OptionalLong.empty() : OptionalLong.of(reviewMillis);
    }

    public Optional<String> violation() {
        return Optional.ofNullable(violation);
    }

    /** The violation, or that it was used after the call: the host has gone on and ignores that, a test should not. */
    public Optional<String> misuse() {
        return violation().or(() -> usedLate ? Optional.of("uses its result after the call") : Optional.empty());
    }
}
