package io.berth.core.policies.registration;

import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyContext;
import java.time.ZoneId;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The context of one policy instance. Thread-safe. */
public final class OwnerContext implements PolicyContext {

    private final String owner;
    private final Clock clock;
    private final long seed;
    private final long deadlineMillis;
    private volatile Optional<LongSupplier> remaining = Optional.empty();

    public OwnerContext(String owner, Clock clock, long seed, long deadlineMillis) {
        this.owner = owner;
        this.clock = clock;
        this.seed = seed;
        this.deadlineMillis = deadlineMillis;
    }

    /** How long a call may take. */
    public long deadlineMillis() {
        return deadlineMillis;
    }

    /** A call into the instance begins. */
    public void entered(LongSupplier remainingMillis) {
        remaining = Optional.of(remainingMillis);
    }

    /** The call has returned. */
    public void left() {
        remaining = Optional.empty();
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public long now() {
        return clock.millis();
    }

    @Override
    public ZoneId zone() {
        return clock.zone();
    }

    @Override
    public long remainingMillis() {
        return remaining.map(LongSupplier::getAsLong).orElse(deadlineMillis);
    }

    @Override
    public long seed() {
        return seed;
    }
}
