package com.example.abilities;

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
                return new SlotPlacement(workers, new ByIndex(), 1);
            }

            @Override
            public AssignmentSession openAssignment() {
                return SlotAssignment::assign;
            }
        };
    }
}
