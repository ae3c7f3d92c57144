package com.example.lastfit;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.policy.support.SlotAssignment;
import io.berth.spi.matching.WorkersView;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Fills the last worker that has room before the one in front of it, or the other way round. */
@Component
@Policy(kind = "matching", name = "last-fit", configuration = {"order", "spare.workers"})
public final class LastFit implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("last-fit", "Fills the last worker that has room first", List.of(
                ConfigurationKey.choice("order", "last-first", List.of("last-first", "first-first"),
                        "which end of the registered workers is filled first"),
                ConfigurationKey.number("spare.workers", 0, 0, 1_000,
                        "so many workers, the first in that order, are filled only when no other has room")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new Strategy(configuration.text("order").equals("last-first"), configuration.number("spare.workers"));
    }

    private record Strategy(boolean lastFirst, long spareWorkers) implements MatchingStrategy {

        @Override
        public PlacementSession openPlacement(WorkersView workers) {
            return new LastFitSession(workers, lastFirst, (int) spareWorkers);
        }

        @Override
        public AssignmentSession openAssignment() {
            return SlotAssignment::assign;
        }
    }
}
