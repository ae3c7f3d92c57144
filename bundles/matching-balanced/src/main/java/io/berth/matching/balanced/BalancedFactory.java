package io.berth.matching.balanced;

import io.berth.policy.support.SlotAssignment;
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

/** Provides the matching strategy {@code balanced}: even use while there is slack, few workers when it gets tight. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "balanced")
public final class BalancedFactory implements MatchingStrategyFactory {

    static final String TIGHT = "tight.above";

    static final String KEEP_SCARCE = "keep.scarce";

    private static final double DEFAULT_TIGHT = 0.7;

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "balanced",
                "The least utilized worker first while there is slack, the most utilized one when it gets tight",
                List.of(
                        ConfigurationKey.share(
                                TIGHT,
                                DEFAULT_TIGHT,
                                "Used share of the scarcest resource of all registered workers above which slots are packed"),
                        ConfigurationKey.flag(
                                KEEP_SCARCE,
                                true,
                                "Whether registered workers without resources that a slot does not request come first")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        double tight = configuration.share(TIGHT);
        boolean keepsScarce = configuration.flag(KEEP_SCARCE);
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new BalancedSession(workers, tight, keepsScarce);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
