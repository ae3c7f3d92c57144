package io.berth.core.policies.meters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.operations.PolicyEvent;
import io.berth.core.api.operations.PolicyMetrics.DecisionFigures;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.FailureCount;
import io.berth.core.api.operations.PolicyMetrics.FailureKind;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.operations.PolicyMetrics.PolicyFigures;
import io.berth.core.api.operations.PolicyMetrics.ReleaseCause;
import io.berth.core.api.operations.PolicyMetrics.SwapCount;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.AllocationId;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the real guard and real decisions count for good and faulty policies. */
class MeasuredCallsTest {

    private Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    private PolicyFigures figures(PolicyKind kind, String name) {
        return bench.platform.policyFigures(kind, name).orElseThrow();
    }

    private PolicyFigures faulty() {
        return figures(PolicyKind.MATCHING, "villain");
    }

    private FakeRegistration addFaulty(Bench.Placing placing) {
        bench.withDefaults();
        FakeRegistration added = bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", placing));
        bench.awaitState("villain", "deciding");
        return added;
    }

    @Test
    void measuresEachCallByItsName() throws Exception {
        bench.withDefaults();
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned first = Bench.planned(planner, bench.twoWorkersAndAJob());
        PlanOutcome.Planned second = Bench.planned(
                planner,
                bench.input().worker(2, Bench.SIZE).unit(1, "b", 1, 1, 0).build());
        assertThat(second.decision()).isEqualTo(first.decision() + 1);
        PolicyFigures matching = figures(PolicyKind.MATCHING, "first-fit");
        assertThat(matching.calls().keySet())
                .containsExactly(PolicyCall.DESCRIBE, PolicyCall.CREATE, PolicyCall.DELTA, PolicyCall.PLACE);
        assertThat(matching.calls().get(PolicyCall.CREATE).count())
                .as("once in the trial, and once for the pool")
                .isEqualTo(2);
        assertThat(matching.calls().get(PolicyCall.PLACE).count()).isEqualTo(2);
        assertThat(matching.calls().get(PolicyCall.DELTA).count()).isEqualTo(1);
        assertThat(matching.all().count()).isEqualTo(6);
        assertThat(matching.queued().count())
                .as("one for each task of the guard")
                .isEqualTo(5);
        assertThat(matching.calls().get(PolicyCall.PLACE).maxNanos()).isPositive();
        assertThat(matching.decisions()).isEqualTo(2);
        assertThat(matching.failures()).isEmpty();
        assertThat(matching.registered()).isEqualTo(1);
        assertThat(matching.inFlight()).isZero();
        PolicyFigures distribution = figures(PolicyKind.DISTRIBUTION, "fifo");
        assertThat(distribution.calls().keySet())
                .contains(PolicyCall.ADMIT, PolicyCall.DELTA)
                .doesNotContain(PolicyCall.PLACE);
        assertThat(figures(PolicyKind.MATCHING, "spread").decisions()).isZero();
        List<DecisionFigures> decisions = bench.platform.host().decisions();
        assertThat(decisions).hasSize(1);
        assertThat(decisions.get(0).pool()).isEqualTo("default");
        assertThat(decisions.get(0).type()).isEqualTo(DecisionType.PLACEMENT);
        assertThat(decisions.get(0).times().count()).isEqualTo(2);
        assertThat(bench.platform.host().leases()).containsEntry(PolicyKind.MATCHING, 0);
        assertThat(bench.platform.host().generations()).isEqualTo(2);
        planner.close();
        await().until(() -> bench.platform.host().generations() == 0);
        assertThat(figures(PolicyKind.MATCHING, "first-fit")
                        .calls()
                        .get(PolicyCall.CLOSE)
                        .count())
                .isEqualTo(1);
    }

    @Test
    void measuresAssignmentsUnderTheirPool() throws Exception {
        bench.withDefaults();
        AssignmentQuery query = new AssignmentQuery(
                new JobId("a"),
                "default",
                MatchingRule.LOOSE,
                1,
                List.of(new AssignmentQuery.Slot(new AllocationId(1, 1), new WorkerId("w1"), Bench.SLOT, -1, false)),
                List.of(new AssignmentQuery.Requirement("all", "default", Bench.SLOT, 1)));
        assertThat(bench.platform.assign(query).toCompletableFuture().get(20, TimeUnit.SECONDS))
                .isInstanceOf(AssignmentOutcome.Assigned.class);
        assertThat(figures(PolicyKind.MATCHING, "first-fit")
                        .calls()
                        .get(PolicyCall.ASSIGN)
                        .count())
                .isEqualTo(1);
        List<DecisionFigures> decisions = bench.platform.host().decisions();
        assertThat(decisions).hasSize(1);
        assertThat(decisions.get(0).type()).isEqualTo(DecisionType.ASSIGNMENT);
        assertThat(decisions.get(0).pool()).isEqualTo("default");
    }

    @Test
    void countsExceptionsRepeatedRoundsAndFallbacks() throws Exception {
        addFaulty((workers, admitted, plan) -> {
            throw new StackOverflowError("on purpose");
        });
        PlacementPlanner planner = bench.planner();
        for (int round = 0; round < 4; round++) {
            Bench.planned(
                    planner,
                    round == 0 ? bench.twoWorkersAndAJob() : bench.input().build());
        }
        assertThat(faulty().failures()).containsExactly(new FailureCount(PolicyCall.PLACE, FailureKind.THREW, 3));
        assertThat(faulty().quarantines()).isEqualTo(1);
        assertThat(faulty().decisions()).isZero();
        assertThat(bench.platform.host().redone()).containsEntry(PolicyKind.MATCHING, 3L);
        assertThat(bench.platform.host().fallbacks())
                .as("not in the round after the quarantine")
                .containsEntry(PolicyKind.MATCHING, 3L)
                .containsEntry(PolicyKind.DISTRIBUTION, 0L);
        assertThat(bench.platform.host().swaps())
                .contains(new SwapCount(PolicyKind.MATCHING, PolicyEvent.QUARANTINE, 1));
    }

    @Test
    void countsAHangingCallAndItsThreadUntilItReturns() throws Exception {
        bench.close();
        bench = new Bench(2_000);
        CountDownLatch hang = new CountDownLatch(1);
        addFaulty((workers, admitted, plan) -> {
            while (hang.getCount() > 0) {
                try {
                    hang.await();
                } catch (InterruptedException ignored) {
                    // This policy ignores the interrupt.
                }
            }
        });
        Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(faulty().failures()).containsExactly(new FailureCount(PolicyCall.PLACE, FailureKind.HUNG, 1));
        assertThat(faulty().calls().get(PolicyCall.PLACE).count()).isEqualTo(1);
        assertThat(faulty().calls().get(PolicyCall.PLACE).maxNanos()).isGreaterThanOrEqualTo(1_990_000_000);
        assertThat(faulty().abandoned()).isEqualTo(1);
        assertThat(faulty().inFlight()).isZero();
        assertThat(bench.platform.host().abandoned()).isEqualTo(1);
        hang.countDown();
        await().until(() -> bench.platform.host().abandoned() == 0);
        assertThat(faulty().abandoned()).isZero();
        assertThat(faulty().calls().get(PolicyCall.PLACE).count())
                .as("not measured twice")
                .isEqualTo(1);
    }

    @Test
    void countsABrokenRule() throws Exception {
        addFaulty((workers, admitted, plan) -> plan.place(7, 0, 1));
        Bench.planned(bench.planner(), bench.twoWorkersAndAJob());
        assertThat(faulty().failures()).containsExactly(new FailureCount(PolicyCall.PLACE, FailureKind.VIOLATION, 1));
    }

    @Test
    void countsARefusedConfigurationAndAnUnknownKey() {
        bench.withDefaults();
        bench.add(
                PolicyKind.MATCHING,
                "villain",
                1_000,
                new Bench.Scripted(
                        "villain", List.of(ConfigurationKey.text("limit", "1", "a limit")), Bench.LEAVES_OUT));
        bench.awaitState("villain", "deciding");
        configure("limit", "99");
        await().until(() -> faulty().configurationsRefused() == 1);
        assertThat(faulty().failures()).containsExactly(new FailureCount(PolicyCall.CREATE, FailureKind.REFUSED, 1));
        configure("unknown", "1");
        await().until(() -> faulty().configurationsRefused() == 2);
        assertThat(faulty().failures(FailureKind.REFUSED)).as("not called").isEqualTo(1);
    }

    private void configure(String key, String value) {
        bench.configured.put("test.matching.villain", new TreeMap<>(Map.of(key, value)));
        bench.platform.registry().configurationChanged("test.matching.villain");
    }

    @Test
    void countsHowQuarantinesEnd() throws Exception {
        AtomicBoolean bad = new AtomicBoolean(true);
        FakeRegistration faulty = addFaulty((workers, admitted, plan) -> {
            if (bad.get()) {
                throw new IllegalStateException("on purpose");
            }
        });
        PlacementPlanner planner = bench.planner();
        quarantine(planner, bench.twoWorkersAndAJob());
        bench.platform.release(PolicyKind.MATCHING, "villain", "a test");
        assertThat(faulty().releases()).containsEntry(ReleaseCause.OPERATOR, 1L);
        quarantine(planner, bench.input().build());
        bench.platform.registry().remove(faulty.id());
        assertThat(faulty().releases())
                .containsEntry(ReleaseCause.OPERATOR, 1L)
                .containsEntry(ReleaseCause.REGISTRATION, 1L)
                .containsEntry(ReleaseCause.CONFIGURATION, 0L);
        assertThat(faulty().quarantines()).isEqualTo(2);
        await().until(() -> faulty().registered() == 0);
    }

    private void quarantine(PlacementPlanner planner, PlanningInput first) throws Exception {
        Bench.planned(planner, first);
        while (!bench.state("villain").startsWith("quarantined")) {
            Bench.planned(planner, bench.input().build());
        }
    }

    @Test
    void notifiesFollowersOfAddedAndRemovedPolicies() {
        AtomicInteger notified = new AtomicInteger();
        var following = bench.platform.follow(notified::incrementAndGet);
        FakeRegistration spread = bench.spread();
        await().until(() -> notified.get() > 0);
        int before = notified.get();
        bench.platform.registry().remove(spread.id());
        await().until(() -> notified.get() > before);
        following.close();
        await().until(() -> figures(PolicyKind.MATCHING, "spread").registered() == 0);
    }
}
