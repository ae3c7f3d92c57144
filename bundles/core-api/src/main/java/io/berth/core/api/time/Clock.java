package io.berth.core.api.time;

import java.time.ZoneId;
import java.time.ZoneOffset;

/** The source of time. Timeouts use only the monotonic time; the wall time is for display and for policies. */
public interface Clock {

    /** Monotonic, in nanoseconds from an arbitrary origin. */
    long nanos();

    /** Milliseconds since 1970. */
    long wallMillis();

    /** The time zone of {@link #wallMillis} for policies that follow the calendar. */
    default ZoneId zone() {
        return ZoneOffset.UTC;
    }

    /** Monotonic, in milliseconds from an arbitrary origin. */
    default long millis() {
        return nanos() / 1_000_000;
    }
}
