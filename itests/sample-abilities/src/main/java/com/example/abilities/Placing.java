package com.example.abilities;

import io.berth.policy.support.SlotAssignment;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;

/** A matching strategy that keeps nothing between its calls. */
interface Placing extends MatchingStrategy {

    void place(WorkersView workers, AdmittedView admitted, PlacementBuilder plan);

    @Override
    default PlacementSession openPlacement(WorkersView workers) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                // The view shows it.
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                Placing.this.place(workers, admitted, plan);
            }

            @Override
            public void close() {
                // Holds nothing.
            }
        };
    }

    @Override
    default AssignmentSession openAssignment() {
        return SlotAssignment::assign;
    }
}
