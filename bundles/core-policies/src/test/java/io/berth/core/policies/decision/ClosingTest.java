package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.spi.matching.WorkersView;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What remains of a policy when its owner closes during a call. */
class ClosingTest {

    private final Bench bench = new Bench(20_000);
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicBoolean running = new AtomicBoolean();
    private final AtomicBoolean twoAtOnce = new AtomicBoolean();

    @AfterEach
    void end() {
        goOn.countDown();
        bench.close();
    }

    @Test
    void closesASessionOnlyAfterTheCallThatRunsInIt() throws Exception {
        FakeRegistration slow = closeWhileItIsCalled(new Slow(false));
        await().during(Duration.ofMillis(100)).until(() -> slow.released.get() == 0);
        goOn.countDown();
        await().until(() -> slow.released.get() == 1);
        assertThat(twoAtOnce).isFalse();
        await().until(() -> bench.platform.registry().generationsInUse() == 0);
    }

    @Test
    void keepsNothingOfAPolicyThatIsCreatedWhileItsOwnerCloses() throws Exception {
        FakeRegistration slow = closeWhileItIsCalled(new Slow(true));
        goOn.countDown();
        await().until(() -> slow.released.get() == 1);
        await().until(() -> bench.platform.registry().generationsInUse() == 0);
    }

    private FakeRegistration closeWhileItIsCalled(Slow factory) throws Exception {
        bench.fifo();
        FakeRegistration slow = bench.add(PolicyKind.MATCHING, "slow", 1_000, factory);
        bench.awaitState("slow", "deciding");
        PlacementPlanner planner = bench.planner();
        CompletionStage<PlanOutcome> outcome = planner.plan(bench.twoWorkersAndAJob());
        assertThat(entered.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(planner.asked())
                .as("the policy that is being called")
                .hasValueSatisfying(policy -> assertThat(policy.name()).isEqualTo("slow"));
        planner.close();
        assertThat(outcome.toCompletableFuture().get(10, TimeUnit.SECONDS)).isInstanceOf(PlanOutcome.NotDecided.class);
        assertThat(Bench.plan(planner, bench.input().build())).isInstanceOf(PlanOutcome.NotDecided.class);
        bench.platform.registry().remove(slow.id());
        return slow;
    }

    /** Blocks in one of its calls until the test lets it go on. */
    private final class Slow implements MatchingStrategyFactory {

        private final boolean inCreate;
        private final AtomicInteger created = new AtomicInteger();

        private Slow(boolean inCreate) {
            this.inCreate = inCreate;
        }

        @Override
        public PolicyDescription describe() {
            return new PolicyDescription("slow", "for a test");
        }

        @Override
        public MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context) {
            // The first instance is created only to check the configuration.
            if (created.incrementAndGet() > 1 && inCreate) {
                block();
            }
            return new MatchingStrategy() {
                @Override
                public PlacementSession openPlacement(WorkersView workers) {
                    return new Session();
                }

                @Override
                public AssignmentSession openAssignment() {
                    return (input, result) -> {};
                }
            };
        }
    }

    private final class Session implements PlacementSession {

        @Override
        public void delta(int[] changed) {}

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            block();
        }

        @Override
        public void close() {
            twoAtOnce.compareAndSet(false, running.get());
        }
    }

    private void block() {
        running.set(true);
        entered.countDown();
        try {
            goOn.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            running.set(false);
        }
    }
}
