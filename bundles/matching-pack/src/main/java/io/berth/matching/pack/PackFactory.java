package io.berth.matching.pack;

import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code pack}: the fewest workers, and the cheapest new ones. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "pack")
public final class PackFactory implements MatchingStrategyFactory {

    static final String KEEP_SCARCE = "keep.scarce";

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "pack",
                "The fewest workers: profiles mix on each, the fullest comes first, then the cheapest new one",
                List.of(
                        ConfigurationKey.flag(
                                KEEP_SCARCE,
                                false,
                                "Whether registered workers without resources that a slot does not request come before fuller ones")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        boolean keepsScarce = configuration.flag(KEEP_SCARCE);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new PackingSession(workers, MixedPlacement.greedy(workers), keepsScarce);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
