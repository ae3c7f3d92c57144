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
import java.util.List;

/** A matching strategy, named faulty, that throws when it should place or assign. */
public final class ThrowingMatching implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("faulty", "throws", List.of());
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new PlacementSession() {
                    @Override
                    public void delta(int[] changed) {}

                    @Override
                    public void place(AdmittedView admitted, PlacementBuilder plan) {
                        throw new IllegalStateException("on purpose");
                    }

                    @Override
                    public void close() {}
                };
            }

            @Override
            public AssignmentSession openAssignment() {
                return (input, result) -> {
                    throw new IllegalStateException("on purpose");
                };
            }
        };
    }
}
