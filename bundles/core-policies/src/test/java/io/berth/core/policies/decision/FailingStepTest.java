package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.Bench;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** An error of the host itself, in the middle of a decision. */
class FailingStepTest {

    /** Fails like a host that is out of stack or memory. */
    private static final class BrokenClock implements Clock {

        private final Clock real = new SystemClock();
        private final AtomicBoolean broken = new AtomicBoolean();

        @Override
        public long nanos() {
            return real.nanos();
        }

        @Override
        public long wallMillis() {
            if (broken.get()) {
                throw new StackOverflowError("no wall time");
            }
            return real.wallMillis();
        }
    }

    @Test
    void aDecisionThatFailsInTheHostIsNotMadeAndTheNextOneIs() throws Exception {
        BrokenClock clock = new BrokenClock();
        try (Bench bench = new Bench(2_000, clock)) {
            PlacementPlanner planner = bench.withDefaults().planner();
            clock.broken.set(true);
            PlanOutcome failed = Bench.plan(planner, bench.twoWorkersAndAJob());
            clock.broken.set(false);
            assertThat(failed)
                    .isInstanceOfSatisfying(
                            PlanOutcome.NotDecided.class,
                            outcome -> assertThat(outcome.reason()).contains("StackOverflowError"));
            assertThat(Bench.planned(planner, bench.twoWorkersAndAJob()).placements())
                    .hasSize(2);
        }
    }
}
