package io.berth.matching.pack;

import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code pack}: the fewest workers, and the cheapest new ones. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "pack")
public final class PackFactory implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "pack", "The fewest workers: profiles mix on each, the fullest comes first, then the cheapest new one");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new PackingSession(workers, MixedPlacement.greedy(workers));
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
