package com.example.lastfit;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentBuilder;
import io.berth.spi.matching.AssignmentView;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.SlotAssignment;
import io.berth.spi.matching.WorkersView;
import org.osgi.service.component.annotations.Component;

/** Fills the last worker that has room before the one in front of it. */
@Component
@Policy(kind = "matching", name = "last-fit")
public final class LastFit implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("last-fit", "Fills the last worker that has room first");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new Strategy();
    }

    private static final class Strategy implements MatchingStrategy {

        @Override
        public PlacementSession open(WorkersView workers) {
            return new LastFitSession(workers);
        }

        @Override
        public void assign(AssignmentView input, AssignmentBuilder result) {
            SlotAssignment.assign(input, result);
        }
    }
}
