package io.berth.itests.faulty;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;

/** A component that waits for one that waits for it. */
public final class CyclingFactory implements MatchingStrategyFactory, Runnable {

    /** For the component runtime. */
    public void bind(Object other) {
        // Never happens.
    }

    @Override
    public void run() {
        // Only a type that the other one waits for.
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("cycle", "never there");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        throw new IllegalStateException("never there");
    }
}
