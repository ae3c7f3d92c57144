package com.example.abilities;

import io.berth.policy.support.FittingWorkers;
import io.berth.policy.support.FreeRoom;
import io.berth.policy.support.SlotAssignment;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.Policy;
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
import org.osgi.service.component.annotations.Component;

/** {@code reserve}: keeps room for the first gang that does not fit yet, so that small jobs do not starve it. */
@Component
@Policy(kind = "matching", name = "patient")
public final class Patient implements MatchingStrategyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription("patient", "Reserves room for the first gang that does not fit");
    }

    @Override
    public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
        return new MatchingStrategy() {
            @Override
            public PlacementSession openPlacement(WorkersView workers) {
                return new Session(new SlotPlacement(workers, new ByIndex(), 1));
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
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
            // Holds nothing.
        }
    }

    private static final class ByIndex implements SlotPlacement.Order {

        @Override
        public void changed(int worker, FreeRoom room) {
            // The order is that of the indexes.
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
}
