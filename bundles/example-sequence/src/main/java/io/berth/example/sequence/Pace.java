package io.berth.example.sequence;

import java.util.OptionalLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Limits the rate of one task: after some records it pauses. So it is at most that many records per second, and less
 * when the work takes time or the system pauses for longer.
 *
 * @param perSecond 0 for no limit
 */
record Pace(long perSecond) {

    private static final long STEPS_PER_SECOND = 100;
    private static final long PAUSE_NANOS = 1_000_000_000 / STEPS_PER_SECOND;

    /** Records until the next pause; empty without a limit. */
    OptionalLong records() {
        return perSecond == 0 ? OptionalLong.empty() : OptionalLong.of(Math.max(1, perSecond / STEPS_PER_SECOND));
    }

    /** Pauses if there is a limit. */
    void pause() {
        if (perSecond > 0) {
            LockSupport.parkNanos(Math.max(PAUSE_NANOS, 1_000_000_000 / perSecond));
        }
    }
}
