package io.berth.core.policies.registration;

import io.berth.core.api.time.Clock;
import io.berth.spi.PolicyContext;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/** The context of one policy instance. Thread-safe. */
public final class OwnerContext implements PolicyContext {

    private final String owner;
    private final Clock clock;
    private final long seed;
    private final long deadlineMillis;
    private final CallTime betweenCalls;
    private volatile CallTime time;

    public OwnerContext(String owner, Clock clock, long seed, long deadlineMillis) {
        this.owner = owner;
        this.clock = clock;
        this.seed = seed;
        this.deadlineMillis = deadlineMillis;
        this.betweenCalls = time(() -> deadlineMillis);
        this.time = betweenCalls;
    }

    private CallTime time(LongSupplier remainingMillis) {
        return new CallTime() {
            @Override
            public long now() {
                return clock.millis();
            }

            @Override
            public long remainingMillis() {
                return remainingMillis.getAsLong();
            }
        };
    }

    /** How long a call may take. */
    public long deadlineMillis() {
        return deadlineMillis;
    }

    /** A call into the instance begins. */
    public void entered(LongSupplier remainingMillis) {
        time = time(remainingMillis);
    }

    /** The time that the instance sees. */
    public CallTime time() {
        return time;
    }

    /** Replaces the time that the call in progress sees. */
    public void time(CallTime seen) {
        time = seen;
    }

    /** The call has returned. */
    public void left() {
        time = betweenCalls;
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public long now() {
        return time.now();
    }

    @Override
    public ZoneId zone() {
        return clock.zone();
    }

    @Override
    public long remainingMillis() {
        return time.remainingMillis();
    }

    @Override
    public long seed() {
        return seed;
    }
}
