package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A policy in development is not quarantined, whatever it does. */
class DevelopmentTest {

    private static final HostSettings USUAL = HostSettings.defaults().withDeadline(PolicyKind.MATCHING, 1_000);
    private static final HostSettings DEVELOPMENT =
            USUAL.withDevelopment(PolicyKind.MATCHING, List.of("other", "mine"));

    private final Bench bench = new Bench(1_000);

    @BeforeEach
    void begin() {
        bench.withDefaults();
    }

    @AfterEach
    void end() {
        bench.close();
    }

    private void add(Bench.Placing placing) {
        bench.add(PolicyKind.MATCHING, "mine", 1_000, Bench.placing("mine", placing));
        bench.awaitState("mine", "deciding");
    }

    private String diagnosis() {
        return bench.platform
                .diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("mine"))
                .get(0)
                .text();
    }

    private void fail(int times, PlacementPlanner planner) throws Exception {
        for (int round = 0; round < times; round++) {
            PlanOutcome.Planned planned = Bench.planned(
                    planner,
                    bench.input().unit(0, "a", 1, 3, 0).worker(0, Bench.SIZE).build());
            assertThat(planned.matching().name()).isEqualTo("first-fit");
        }
    }

    @Test
    void aFailingOneGoesOnUntilItsDevelopmentEnds() throws Exception {
        bench.platform.settings(DEVELOPMENT);
        add((workers, admitted, plan) -> {
            throw new IllegalStateException("not yet written");
        });
        PlacementPlanner planner = bench.planner();
        fail(10, planner);
        assertThat(bench.state("mine")).isEqualTo("deciding; in development");
        assertThat(bench.details("mine").orElseThrow().failures()).isEqualTo(10);
        assertThat(diagnosis()).contains("it is in development").contains("development.matching");
        assertThat(bench.state("first-fit")).doesNotContain("development");

        bench.platform.settings(USUAL);
        assertThat(bench.state("mine")).isEqualTo("deciding");
        fail(2, planner);
        assertThat(bench.state("mine")).isEqualTo("deciding");
        fail(1, planner);
        assertThat(bench.state("mine")).startsWith("quarantined");
    }

    @Test
    void aQuarantinedOneDecidesAgainOnceItIsInDevelopment() throws Exception {
        add((workers, admitted, plan) -> {
            throw new IllegalStateException("not yet written");
        });
        PlacementPlanner planner = bench.planner();
        fail(3, planner);
        assertThat(bench.state("mine")).startsWith("quarantined");
        bench.platform.settings(DEVELOPMENT);
        bench.awaitState("mine", "deciding; in development");
        fail(5, planner);
        assertThat(bench.state("mine")).isEqualTo("deciding; in development");
    }

    @Test
    void oneThatCouldNotBeCreatedIsTriedAgainOnceItIsInDevelopment() throws Exception {
        AtomicInteger tried = new AtomicInteger();
        bench.add(PolicyKind.DISTRIBUTION, "mine", 1_000, new DistributionPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return new PolicyDescription("mine", "for a test");
            }

            @Override
            public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
                tried.incrementAndGet();
                throw new IllegalStateException("not yet written");
            }
        });
        bench.awaitState("mine", "configuration refused");
        int before = tried.get();
        bench.platform.settings(USUAL.withDevelopment(PolicyKind.DISTRIBUTION, List.of("mine")));
        await().atMost(Duration.ofSeconds(30)).until(() -> tried.get() > before);
        bench.awaitState("mine", "configuration refused");
    }

    @Test
    void aNameThatNoPolicyHasIsReported() {
        bench.platform.settings(DEVELOPMENT);
        assertThat(bench.platform.registry().unmetDevelopment())
                .containsExactly(
                        "development.matching names other, which is not there; installed are first-fit, spread",
                        "development.matching names mine, which is not there; installed are first-fit, spread");
    }

    @Test
    void aHangingCallIsGivenUpOnceItsDevelopmentEnds() throws Exception {
        bench.platform.settings(DEVELOPMENT);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch hang = new CountDownLatch(1);
        add((workers, admitted, plan) -> {
            entered.countDown();
            hang.await();
        });
        CompletableFuture<PlanOutcome> planned =
                bench.planner().plan(bench.twoWorkersAndAJob()).toCompletableFuture();
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        assertThat(planned).isNotDone();
        bench.platform.settings(USUAL);
        assertThat(planned.get(20, TimeUnit.SECONDS)).isInstanceOf(PlanOutcome.Planned.class);
        assertThat(((PlanOutcome.Planned) planned.get()).matching().name()).isEqualTo("first-fit");
        assertThat(bench.state("mine")).startsWith("quarantined for pool default: place did not return within 1000 ms");
    }

    @Test
    void aHangingCallIsGivenUpOnceItsBundleIsRemoved() throws Exception {
        bench.platform.settings(DEVELOPMENT);
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch hang = new CountDownLatch(1);
        var mine = bench.add(PolicyKind.MATCHING, "mine", 1_000, Bench.placing("mine", (workers, admitted, plan) -> {
            entered.countDown();
            hang.await();
        }));
        bench.awaitState("mine", "deciding");
        CompletableFuture<PlanOutcome> planned =
                bench.planner().plan(bench.twoWorkersAndAJob()).toCompletableFuture();
        assertThat(entered.await(20, TimeUnit.SECONDS)).isTrue();
        bench.platform.registry().remove(mine.id());
        assertThat(((PlanOutcome.Planned) planned.get(20, TimeUnit.SECONDS))
                        .matching()
                        .name())
                .isEqualTo("first-fit");
    }
}
