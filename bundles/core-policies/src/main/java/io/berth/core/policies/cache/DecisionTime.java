package io.berth.core.policies.cache;

import io.berth.core.api.time.Clock;

/**
 * The moment of a decision, as policies see it.
 *
 * @param millis monotonic
 * @param wallMillis since 1970
 */
public record DecisionTime(long millis, long wallMillis) {

    public static DecisionTime now(Clock clock) {
        return new DecisionTime(clock.millis(), clock.wallMillis());
    }
}
