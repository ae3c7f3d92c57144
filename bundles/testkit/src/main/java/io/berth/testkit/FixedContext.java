package io.berth.testkit;

import io.berth.spi.PolicyContext;

/** A context with a fixed time. */
public record FixedContext(String owner, long now, long seed) implements PolicyContext {

    /** Time 0 and seed 1. */
    public static FixedContext of(String owner) {
        return new FixedContext(owner, 0, 1);
    }
}
