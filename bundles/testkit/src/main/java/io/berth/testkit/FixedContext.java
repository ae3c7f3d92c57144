package io.berth.testkit;

import io.berth.spi.PolicyContext;
import java.time.ZoneId;
import java.time.ZoneOffset;

/**
 * A context with a fixed time.
 *
 * @param remainingMillis until the deadline of every call
 */
public record FixedContext(String owner, long now, ZoneId zone, long remainingMillis, long seed)
        implements PolicyContext {

    /** Time 0, UTC, 2 seconds for each call and seed 1. */
    public static FixedContext of(String owner) {
        return new FixedContext(owner, 0, ZoneOffset.UTC, 2_000, 1);
    }

    /** The same in another time zone. */
    public FixedContext in(ZoneId other) {
        return new FixedContext(owner, now, other, remainingMillis, seed);
    }
}
