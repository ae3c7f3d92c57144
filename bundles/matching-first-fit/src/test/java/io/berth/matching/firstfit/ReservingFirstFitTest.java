package io.berth.matching.firstfit;

import io.berth.policy.support.ByIndex;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import io.berth.testkit.MatchingStrategyContract;

/** The library keeps the contract also when it reserves room for gangs. */
class ReservingFirstFitTest implements MatchingStrategyContract {

    @Override
    public MatchingStrategyFactory factory() {
        return new Reserving();
    }

    private static final class Reserving implements MatchingStrategyFactory {

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("reserving", "First fit that reserves for two gangs");
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
            return new MatchingStrategy() {
                @Override
                public PlacementSession openPlacement(WorkersView workers) {
                    return new SlotPlacement(workers, new ByIndex(), 2);
                }

                @Override
                public AssignmentSession openAssignment() {
                    return SlotAssignment::assign;
                }
            };
        }
    }
}
