package io.berth.benchmark.decision;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.util.concurrent.CountDownLatch;

/** Does not answer before it is released. */
record HangingStrategy(CountDownLatch released) implements MatchingStrategy {

    @Override
    public PlacementSession openPlacement(WorkersView workers) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                // It knows nothing.
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                try {
                    released.await();
                } catch (InterruptedException givenUp) {
                    Thread.currentThread().interrupt();
                }
            }

            @Override
            public void close() {
                // Nothing to release.
            }
        };
    }

    @Override
    public AssignmentSession openAssignment() {
        throw new IllegalStateException("a shadow assigns nothing");
    }
}
