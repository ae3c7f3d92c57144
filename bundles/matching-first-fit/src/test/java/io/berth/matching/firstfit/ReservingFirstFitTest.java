package io.berth.matching.firstfit;

import io.berth.policy.support.FittingWorkers;
import io.berth.policy.support.FreeRoom;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
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
                    return new Session(new SlotPlacement(workers, new ByIndex(), 2));
                }

                @Override
                public AssignmentSession openAssignment() {
                    return SlotAssignment::assign;
                }
            };
        }
    }

    private static final class ByIndex implements SlotPlacement.Order {

        @Override
        public void changed(int worker, FreeRoom room) {
            // The order of indexes does not change.
        }

        @Override
        public int next(FittingWorkers fitting) {
            return fitting.first();
        }

        @Override
        public boolean fills() {
            return true;
        }
    }

    private record Session(SlotPlacement placement) implements PlacementSession {

        @Override
        public void delta(int[] changed) {
            placement.delta(changed);
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            placement.place(admitted, plan);
        }

        @Override
        public void close() {
            // Nothing to release.
        }
    }
}
