package io.berth.benchmark.decision;

import io.berth.core.api.policy.PlanOutcome;
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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

/**
 * Does not answer before it is released.
 *
 * @param entered counted down by the first call
 * @param spins whether it takes a processor meanwhile
 */
public record HangingStrategy(CountDownLatch entered, CountDownLatch released, boolean spins)
        implements MatchingStrategy {

    static final String NAME = "hanging";

    /** A decision that waits for it. Closing releases the strategy and waits for the decision. */
    public record Call(CountDownLatch released, CompletableFuture<PlanOutcome> decision, Runnable then)
            implements AutoCloseable {

        public boolean hasEnded() {
            return decision.isDone();
        }

        @Override
        public void close() {
            released.countDown();
            decision.join();
            then.run();
        }
    }

    static MatchingStrategyFactory factory(CountDownLatch entered, CountDownLatch released, boolean spins) {
        return new MatchingStrategyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription(NAME, "does not answer", List.of());
            }

            @Override
            public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
                return new HangingStrategy(entered, released, spins);
            }
        };
    }

    /** Takes a processor until it is released or interrupted. */
    static void spin(CountDownLatch released) {
        while (released.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }

    private void hang() {
        entered.countDown();
        if (spins) {
            spin(released);
        }
        try {
            released.await();
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public PlacementSession openPlacement(WorkersView workers) {
        return new PlacementSession() {
            @Override
            public void delta(int[] changed) {
                // It knows nothing.
            }

            @Override
            public void place(AdmittedView admitted, PlacementBuilder plan) {
                hang();
            }

            @Override
            public void close() {
                // Nothing to release.
            }
        };
    }

    @Override
    public AssignmentSession openAssignment() {
        throw new IllegalStateException("it assigns nothing");
    }
}
