package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A policy that asked for a review is asked again by then, although nothing changed. */
class ReviewTest {

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final AtomicInteger notified = new AtomicInteger();
    private long ids;
    private long states;
    /** What the next call asks for; empty: nothing. */
    private OptionalLong review = OptionalLong.empty();

    private void add(PolicyKind kind, String name, Object factory) {
        platform.registry().add(new FakeRegistration(++ids, kind, name, 0, () -> factory));
        stage.runAll();
    }

    private PlacementPlanner planner() {
        PlacementPlanner planner = platform.openPlanner("default", MatchingRule.EXACT, notified::incrementAndGet);
        stage.runAll();
        notified.set(0);
        return planner;
    }

    private PlanOutcome plan(PlacementPlanner planner) {
        return plan(planner, 0);
    }

    private PlanOutcome plan(PlacementPlanner planner, int allocated) {
        UnitDemand demand = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                SchedulingAttributes.DEFAULT,
                List.of(new GroupDemand("default", Bench.SLOT, 1, 1, allocated)));
        CompletableFuture<PlanOutcome> outcome = planner.plan(new PlanningInput(
                        ++states, List.of(), List.of(new UnitChange(0, Optional.of(demand))), List.of()))
                .toCompletableFuture();
        stage.runAll();
        return outcome.join();
    }

    private PlacementPlanner withAStrategyThatAsks() {
        add(PolicyKind.DISTRIBUTION, "fifo", new FifoFactory());
        add(PolicyKind.MATCHING, "timed", Bench.placing("timed", (workers, admitted, plan) -> {
            Bench.LEAVES_OUT.place(workers, admitted, plan);
            review.ifPresent(plan::reviewAfter);
        }));
        return planner();
    }

    @Test
    void theOwnerIsAskedAgainAfterTheTimeThatAStrategyNamed() {
        PlacementPlanner planner = withAStrategyThatAsks();
        review = OptionalLong.of(5_000);
        plan(planner);
        stage.advance(4_999);
        assertThat(notified).hasValue(0);
        stage.advance(1);
        assertThat(notified).hasValue(1);
    }

    @Test
    void theNextResultReplacesTheReview() {
        PlacementPlanner planner = withAStrategyThatAsks();
        review = OptionalLong.of(5_000);
        plan(planner);
        review = OptionalLong.empty();
        plan(planner);
        stage.advance(86_400_000);
        assertThat(notified).hasValue(0);
    }

    @Test
    void aReviewIsNotMadeMoreOftenThanTenTimesASecond() {
        PlacementPlanner planner = withAStrategyThatAsks();
        review = OptionalLong.of(1);
        plan(planner);
        stage.advance(99);
        assertThat(notified).hasValue(0);
        stage.advance(1);
        assertThat(notified).hasValue(1);
    }

    @Test
    void aReviewThatIsOutOfBoundsIsAFailure() {
        PlacementPlanner planner = withAStrategyThatAsks();
        review = OptionalLong.of(0);
        assertThat(plan(planner))
                .isInstanceOfSatisfying(
                        PlanOutcome.NotDecided.class,
                        not -> assertThat(not.reason())
                                .contains("asks for a review after 0 ms: 1 to 86400000 is allowed"));
        stage.advance(60_000);
    }

    @Test
    void theOwnerIsAskedAgainAfterTheTimeThatADistributionPolicyNamed() {
        add(PolicyKind.MATCHING, "lazy", Bench.placing("lazy", Bench.LEAVES_OUT));
        add(PolicyKind.DISTRIBUTION, "later", Bench.admitting("later", (demands, result) -> {
            result.defer(0, "not before tomorrow");
            result.reviewAfter(9_000);
            result.reviewAfter(7_000);
        }));
        plan(planner());
        stage.advance(6_999);
        assertThat(notified).hasValue(0);
        stage.advance(1);
        assertThat(notified).hasValue(1);
    }

    @Test
    void aReviewIsKeptWhileNothingLacksSlots() {
        AtomicInteger asked = new AtomicInteger();
        add(PolicyKind.MATCHING, "lazy", Bench.placing("lazy", Bench.LEAVES_OUT));
        add(PolicyKind.DISTRIBUTION, "later", Bench.admitting("later", (demands, result) -> {
            asked.incrementAndGet();
            result.reviewAfter(7_000);
        }));
        PlacementPlanner planner = planner();
        plan(planner);
        stage.advance(3_000);
        plan(planner, 1);
        assertThat(asked).hasValue(1);
        stage.advance(3_999);
        assertThat(notified).hasValue(0);
        stage.advance(1);
        assertThat(notified).hasValue(1);
        plan(planner, 1);
        assertThat(asked).hasValue(2);
        stage.advance(7_000);
        assertThat(notified).hasValue(2);
    }

    @Test
    void nobodyIsRemindedAfterThePlannerWasClosed() {
        PlacementPlanner planner = withAStrategyThatAsks();
        review = OptionalLong.of(5_000);
        plan(planner);
        planner.close();
        stage.advance(86_400_000);
        assertThat(notified).hasValue(0);
    }

    @Test
    void theJobIsToldWhenItsAssignmentIsToBeReviewed() {
        add(PolicyKind.MATCHING, "timed", Bench.assigning("timed", (input, result) -> {
            result.assign(0, 0);
            result.reviewAfter(3_000);
        }));
        AssignmentQuery query = new AssignmentQuery(
                new JobId("a"),
                "default",
                MatchingRule.EXACT,
                1,
                List.of(new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false)),
                List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 1)));
        var outcome = platform.assign(query).toCompletableFuture();
        stage.runAll();
        assertThat(outcome.join())
                .isInstanceOfSatisfying(
                        AssignmentOutcome.Assigned.class,
                        assigned -> assertThat(assigned.reviewAfterMillis()).hasValue(3_000));
    }
}
