package io.berth.itests.policy;

import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/** Can be created, but fails at each decision. */
final class FailingMatching implements MatchingStrategyFactory, MatchingStrategy, PlacementSession {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("failing", "Fails at each decision");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new FailingMatching();
    }

    @Override
    public PlacementSession openPlacement(WorkersView workers) {
        return this;
    }

    @Override
    public AssignmentSession openAssignment() {
        return (input, result) -> {
            throw new IllegalStateException("out of order");
        };
    }

    @Override
    public void delta(int[] changed) {
        // Keeps nothing.
    }

    @Override
    public void place(AdmittedView admitted, PlacementBuilder plan) {
        throw new IllegalStateException("out of order");
    }

    @Override
    public void close() {
        // Nothing to release.
    }
}
