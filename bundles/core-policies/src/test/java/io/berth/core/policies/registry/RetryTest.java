package io.berth.core.policies.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.operations.PolicyMetrics.ReleaseCause;
import io.berth.core.api.operations.PolicyOperations.PolicyDetails;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * One owner tries a quarantined policy again, later each time. When a try succeeds, the policy decides again for the pool
 * that it was quarantined for, or for all.
 */
class RetryTest {

    private final Stage stage = new Stage();
    private final PolicyPlatform platform =
            stage.platform(HostSettings.defaults().withLimits(new PolicyLimits(60_000, 3, 8, 30, 50, 1_000, 3_000)));
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger notified = new AtomicInteger();
    private boolean moody = true;
    private long states;

    @BeforeEach
    void begin() {
        add(1, PolicyKind.DISTRIBUTION, "fifo", 0, new FifoFactory());
        add(2, PolicyKind.MATCHING, "moody", 1_000, Bench.placing("moody", (workers, admitted, plan) -> {
            asked.incrementAndGet();
            if (moody) {
                throw new IllegalStateException("not today");
            }
            Bench.LEAVES_OUT.place(workers, admitted, plan);
        }));
    }

    private void fallback() {
        add(3, PolicyKind.MATCHING, "calm", 0, Bench.placing("calm", Bench.LEAVES_OUT));
    }

    private void add(long id, PolicyKind kind, String name, int ranking, Object factory) {
        platform.registry().add(new FakeRegistration(id, kind, name, ranking, () -> factory));
        stage.runAll();
    }

    private PlacementPlanner planner(String pool) {
        return platform.openPlanner(pool, MatchingRule.EXACT, notified::incrementAndGet);
    }

    private PlanOutcome plan(PlacementPlanner planner) {
        UnitDemand demand = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                SchedulingAttributes.DEFAULT,
                List.of(new PlanningInput.GroupDemand("default", Bench.SLOT, 1, 1, 0)));
        CompletableFuture<PlanOutcome> outcome = planner.plan(new PlanningInput(
                        ++states, List.of(), List.of(new UnitChange(0, Optional.of(demand))), List.of()))
                .toCompletableFuture();
        stage.runAll();
        return outcome.join();
    }

    private String decider(PlacementPlanner planner) {
        return ((PlanOutcome.Planned) plan(planner)).matching().name();
    }

    private PolicyDetails moody() {
        return platform.policies().stream()
                .filter(one -> one.name().equals("moody"))
                .findFirst()
                .orElseThrow();
    }

    private void failThreeTimes(PlacementPlanner planner) {
        for (int round = 0; round < 3; round++) {
            plan(planner);
        }
        assertThat(moody().state()).startsWith("quarantined for pool default: ");
        asked.set(0);
    }

    /** In three pools, once in each. */
    private void failThreeTimes(List<PlacementPlanner> planners) {
        planners.forEach(this::plan);
        assertThat(moody().state()).startsWith("quarantined: ");
        asked.set(0);
    }

    private List<PlacementPlanner> threePlanners() {
        return List.of(planner("default"), planner("gpu"), planner("night"));
    }

    @Test
    void isTriedAgainAfterGrowingDelaysAndTheDiagnosisSaysWhen() {
        fallback();
        PlacementPlanner planner = planner("default");
        failThreeTimes(planner);
        for (long wait : List.of(1_000, 2_000, 3_000, 3_000)) {
            asked.set(0);
            stage.advance(wait - 1);
            assertThat(decider(planner)).isEqualTo("calm");
            assertThat(asked).as("before " + wait + " ms").hasValue(0);
            assertThat(platform.diagnose(Optional.of(PolicyKind.MATCHING), Optional.of("moody"))
                            .get(0)
                            .text())
                    .contains("it is tried again at " + java.time.Instant.ofEpochMilli(stage.wallMillis() + 1));
            stage.advance(1);
            assertThat(decider(planner)).isEqualTo("calm");
            assertThat(asked).as("after " + wait + " ms").hasValue(1);
            assertThat(decider(planner)).isEqualTo("calm");
            assertThat(asked).as("one failure is enough").hasValue(1);
        }
    }

    @Test
    void decidesForThePoolAgainAfterASuccessfulTry() {
        fallback();
        PlacementPlanner planner = planner("default");
        PlacementPlanner other = planner("other");
        failThreeTimes(planner);
        moody = false;
        assertThat(decider(planner)).isEqualTo("calm");
        assertThat(decider(other)).as("it did not fail for this pool").isEqualTo("moody");
        stage.advance(1_000);
        assertThat(decider(planner)).isEqualTo("moody");
        assertThat(moody().state()).isEqualTo("deciding");
        assertThat(platform.policyFigures(PolicyKind.MATCHING, "moody")
                        .orElseThrow()
                        .releases())
                .containsEntry(ReleaseCause.RECOVERY, 1L);
    }

    @Test
    void decidesForAllOwnersAgainAfterASuccessfulTry() {
        fallback();
        List<PlacementPlanner> planners = threePlanners();
        failThreeTimes(planners);
        moody = false;
        stage.advance(1_000);
        assertThat(decider(planners.get(0))).isEqualTo("moody");
        assertThat(moody().state()).isEqualTo("deciding");
        assertThat(decider(planners.get(1))).isEqualTo("moody");
        assertThat(decider(planner("other"))).isEqualTo("moody");
        assertThat(platform.swaps(Optional.of(PolicyKind.MATCHING), 10))
                .extracting(swap -> swap.cause().label())
                .contains("recovery");
        assertThat(platform.policyFigures(PolicyKind.MATCHING, "moody")
                        .orElseThrow()
                        .releases())
                .containsEntry(ReleaseCause.RECOVERY, 1L);
    }

    @Test
    void oneOwnerTriesWhileTheOthersKeepTheFallback() {
        fallback();
        List<PlacementPlanner> planners = threePlanners();
        PlacementPlanner planner = planners.get(0);
        PlacementPlanner other = planner("other");
        failThreeTimes(planners);
        stage.advance(1_000);
        CompletableFuture<PlanOutcome> first = planner.plan(
                        new PlanningInput(++states, List.of(), List.of(), List.of()))
                .toCompletableFuture();
        assertThat(decider(other)).isEqualTo("calm");
        assertThat(((PlanOutcome.Planned) first.join()).matching().name()).isEqualTo("calm");
        assertThat(asked).hasValue(1);
    }

    @Test
    void anOwnerWithoutAnotherPolicyIsNotifiedToTryAgain() {
        PlacementPlanner planner = planner("default");
        failThreeTimes(planner);
        assertThat(plan(planner)).isInstanceOf(PlanOutcome.NotDecided.class);
        moody = false;
        int before = notified.get();
        stage.advance(1_000);
        assertThat(notified.get()).isGreaterThan(before);
        assertThat(decider(planner)).isEqualTo("moody");
    }
}
