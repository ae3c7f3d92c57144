package io.berth.matching.optimal;

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
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the matching strategy {@code optimal}: the fewest workers that a search finds in the time of the call. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "matching", name = "optimal")
public final class OptimalFactory implements MatchingStrategyFactory {

    static final String RESERVE = "time.reserve";

    private static final Duration DEFAULT_RESERVE = Duration.ofMillis(500);
    private static final Duration MOST = Duration.ofMinutes(1);

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "optimal",
                "The fewest workers that a search finds in time, and the cheapest new ones; never more than pack needs",
                List.of(ConfigurationKey.duration(
                        RESERVE,
                        DEFAULT_RESERVE,
                        Duration.ZERO,
                        MOST,
                        "How long before the deadline of a call the search ends")));
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        long reserve = configuration.duration(RESERVE).toMillis();
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new PackingSession(
                        workers, MixedPlacement.optimal(workers, () -> context.remainingMillis() > reserve));
            }

            @Override
            public AssignmentSession openAssignment() {
                // It is a maximum matching already.
                return SlotAssignment::assign;
            }
        };
    }
}
