package io.berth.core.policies.registration;

import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyContext;

/** The context of one policy instance. */
public record OwnerContext(String owner, Clock clock, long seed) implements PolicyContext {

    @Override
    public long now() {
        return clock.millis();
    }
}
