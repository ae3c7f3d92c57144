package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.time.SystemClock;
import io.berth.core.policies.Bench;
import io.berth.core.policies.registration.OwnerContext;
import io.berth.matching.firstfit.FirstFitFactory;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementBuilder;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.FixedConfiguration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The policy that decides next is opened in advance, so that the first decision after a swap does not wait for it. */
class PreparedGenerationTest {

    private final List<String> calls = new CopyOnWriteArrayList<>();
    private final CountDownLatch opening = new CountDownLatch(1);
    private Bench bench;
    private PlacementPlanner planner;

    @BeforeEach
    void open() throws Exception {
        bench = new Bench(5_000).withDefaults();
        planner = bench.planner();
        Bench.planned(planner, bench.twoWorkersAndAJob());
    }

    @AfterEach
    void close() {
        opening.countDown();
        bench.close();
    }

    private void awaitCalls(String... expected) {
        await().atMost(Duration.ofSeconds(10))
                .pollInterval(Duration.ofMillis(2))
                .untilAsserted(() -> assertThat(calls).containsExactly(expected));
    }

    @Test
    void isOpenedBeforeADecisionNeedsItAndThenDecides() throws Exception {
        opening.countDown();
        bench.add(PolicyKind.MATCHING, "watched", 500, watched());
        awaitCalls("open on 2 workers");

        PlanOutcome.Planned planned =
                Bench.planned(planner, bench.input().unit(1, "b", 1, 1, 0).build());

        assertThat(planned.matching().name()).isEqualTo("watched");
        assertThat(calls)
                .startsWith("open on 2 workers")
                .endsWith("place")
                .filteredOn(call -> call.startsWith("open"))
                .hasSize(1);
    }

    @Test
    void receivesTheChangesSinceItWasOpened() throws Exception {
        opening.countDown();
        bench.add(PolicyKind.MATCHING, "watched", 500, watched());
        awaitCalls("open on 2 workers");

        Bench.planned(
                planner,
                bench.input().worker(2, Bench.SIZE).unit(1, "b", 1, 1, 0).build());

        assertThat(calls).hasSize(3).first().isEqualTo("open on 2 workers");
        assertThat(calls.get(1)).startsWith("delta").contains("2");
        assertThat(calls.get(2)).isEqualTo("place");
    }

    @Test
    void seesNoChangeWhileItIsOpened() throws Exception {
        bench.add(PolicyKind.MATCHING, "watched", 500, watched());
        awaitCalls("open on 2 workers");
        CompletableFuture<PlanOutcome> plan = planner.plan(bench.input()
                        .worker(2, Bench.SIZE)
                        .unit(1, "b", 1, 1, 0)
                        .build())
                .toCompletableFuture();
        await().during(Duration.ofMillis(200))
                .atMost(Duration.ofSeconds(10))
                .until(() -> !plan.isDone() && calls.size() == 1);

        opening.countDown();

        assertThat(plan).succeedsWithin(Duration.ofSeconds(10)).isInstanceOf(PlanOutcome.Planned.class);
        assertThat(calls)
                .hasSize(4)
                .startsWith("open on 2 workers", "opened on 2 workers")
                .last()
                .isEqualTo("place");
        long decision = ((PlanOutcome.Planned) plan.join()).decision();
        assertThat(bench.platform.decision(decision).orElseThrow().micros())
                .as("includes the wait")
                .isGreaterThan(100_000);
    }

    @Test
    void isClosedWhenThePlannerClosesMeanwhile() {
        bench.add(PolicyKind.MATCHING, "watched", 500, watched());
        awaitCalls("open on 2 workers");
        planner.close();
        assertThat(planner.plan(bench.input().unit(1, "b", 1, 1, 0).build()).toCompletableFuture())
                .succeedsWithin(Duration.ofSeconds(10))
                .isInstanceOf(PlanOutcome.NotDecided.class);

        opening.countDown();

        awaitCalls("open on 2 workers", "opened on 2 workers", "close");
        await().atMost(Duration.ofSeconds(10))
                .until(() -> bench.platform.registry().generationsInUse() == 0);
    }

    /** Places as first-fit does and records its calls. Its open call blocks until the test lets it go on. */
    private MatchingStrategyFactory watched() {
        return Bench.opening("watched", workers -> {
            boolean held = opening.getCount() > 0;
            calls.add("open on " + workers.limit() + " workers");
            try {
                opening.await();
            } catch (InterruptedException ended) {
                Thread.currentThread().interrupt();
            }
            if (held) {
                calls.add("opened on " + workers.limit() + " workers");
            }
            return new Session(new FirstFitFactory()
                    .create(FixedConfiguration.empty(), new OwnerContext("a test", new SystemClock(), 0, 1_000))
                    .openPlacement(workers));
        });
    }

    private final class Session implements PlacementSession {

        private final PlacementSession inner;

        Session(PlacementSession inner) {
            this.inner = inner;
        }

        @Override
        public void delta(int[] changed) {
            StringBuilder text = new StringBuilder("delta");
            for (int worker : changed) {
                text.append(' ').append(worker);
            }
            calls.add(text.toString());
            inner.delta(changed);
        }

        @Override
        public void place(AdmittedView admitted, PlacementBuilder plan) {
            calls.add("place");
            inner.place(admitted, plan);
        }

        @Override
        public void close() {
            calls.add("close");
            inner.close();
        }
    }
}
