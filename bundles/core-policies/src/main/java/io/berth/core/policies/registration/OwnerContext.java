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

    /** What the instance is told about time. */
    public CallTime time() {
        return time;
    }

    /** The call that runs is told this about time from now on. */
    public void time(CallTime told) {
        time = told;
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
