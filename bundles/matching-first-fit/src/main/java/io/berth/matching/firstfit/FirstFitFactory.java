package io.berth.matching.firstfit;

import io.berth.policy.support.ByIndex;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
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

/** Provides the matching strategy {@code first-fit}, which fills workers one after the other. It is the default. */
@Component(service = MatchingStrategyFactory.class, property = "service.ranking:Integer=100")
@Policy(kind = "matching", name = "first-fit")
public final class FirstFitFactory implements MatchingStrategyFactory {

    static PlacementSession session(WorkersView workers) {
        return new SlotPlacement(workers, new ByIndex());
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "first-fit", "The first worker that has room: registered, then pending, then the smallest new one");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return session(workers);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
