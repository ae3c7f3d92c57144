package io.berth.testkit;

import io.berth.spi.PolicyContext;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Objects;

/** A context whose time stands still, for one call after the other. */
public final class FixedContext implements PolicyContext {

    private final String owner;
    private final ZoneId zone;

    private FixedContext(String owner, ZoneId zone) {
        this.owner = Objects.requireNonNull(owner, "owner");
        this.zone = Objects.requireNonNull(zone, "zone");
    }

    /** Time 0, UTC, 2 seconds for each call and seed 1. */
    public static FixedContext of(String owner) {
        return new FixedContext(owner, ZoneOffset.UTC);
    }

    /** The same in another time zone. */
    public FixedContext in(ZoneId other) {
        return new FixedContext(owner, other);
    }

    @Override
    public String owner() {
        return owner;
    }

    @Override
    public long now() {
        return 0;
    }

    @Override
    public ZoneId zone() {
        return zone;
    }

    @Override
    public long remainingMillis() {
        return 2_000;
    }

    @Override
    public long seed() {
        return 1;
    }
}
