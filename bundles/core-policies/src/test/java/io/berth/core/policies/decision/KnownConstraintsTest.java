package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.Feasibility;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.pools.PoolSettings;
import io.berth.spi.PolicyKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Where slots may be is known before a policy is called, which only reads it. */
class KnownConstraintsTest {

    private static final int NOT_CALLED = -2;

    private final Bench bench = new Bench(300);
    private final WorkerColumns workers = new WorkerColumns();
    private final UnitTable units = new UnitTable(workers);

    @AfterEach
    void end() {
        bench.close();
    }

    private static PlacementConstraints on(String host) {
        return new PlacementConstraints(
                List.of(new LabelRule("host", Operator.IN, List.of(host))), List.of(), new TreeMap<>());
    }

    private static GroupDemand wants(int allocated, String host) {
        return new GroupDemand("default", Bench.SLOT, 1, 1, allocated, on(host));
    }

    private boolean apply(Bench.Input input) {
        return units.apply(PoolSettings.DEFAULT, new DecisionTime(0, 0), input.build());
    }

    @Test
    void thoseOfUnitsThatLackSlotsAreKnown() {
        Feasibility feasibility = workers.feasibility();
        WorkerLabels labels = new WorkerLabels(new TreeMap<>(Map.of("host", "h1")), new TreeMap<>());
        apply(bench.input()
                .worker(0, Bench.SIZE)
                .worker(1, Bench.SIZE, labels)
                .unit(0, "waits", wants(0, "h1"))
                .unit(1, "runs", wants(1, "h2")));
        int number = feasibility.number(on("h1"));
        assertThat(feasibility.feasible(number, 0)).isFalse();
        assertThat(feasibility.feasible(number, 1)).isTrue();
        assertThatThrownBy(() -> feasibility.number(on("h2"))).hasMessageContaining("h2");
        apply(bench.input().unit(1, "runs", wants(0, "h2")));
        assertThat(feasibility.feasible(feasibility.number(on("h2")), 1)).isFalse();
    }

    @Test
    void sessionsAreNotOpenedAgainInEachDecisionWhenManyDifferentOnesWait() {
        Bench.Input input = bench.input().worker(0, Bench.SIZE);
        for (int unit = 0; unit < 1_500; unit++) {
            input.unit(unit, "job-" + unit, wants(0, "h" + unit));
        }
        apply(input);
        List<Boolean> openedAgain = new ArrayList<>();
        for (int change = 0; change < 1_000; change++) {
            openedAgain.add(apply(bench.input().unit(0, "job-0", wants(0, "other-" + change))));
        }
        assertThat(openedAgain).filteredOn(again -> again).hasSizeLessThanOrEqualTo(1);
        assertThat(workers.feasibility().number(on("h1499"))).isPositive();
    }

    @Test
    void constraintsThatNobodyNeedsAnyMoreAreForgotten() {
        int largest = 0;
        for (int change = 0; change < 5_000; change++) {
            apply(bench.input().unit(0, "job", wants(0, "h" + change)));
            largest = Math.max(largest, workers.feasibility().number(on("h" + change)));
        }
        assertThat(largest).isLessThan(2_000);
    }

    @Test
    void aBuilderHasNoEffectWhenItsCallWasGivenUp() throws Exception {
        bench.withDefaults();
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch used = new CountDownLatch(1);
        AtomicInteger late = new AtomicInteger(NOT_CALLED);
        bench.add(PolicyKind.MATCHING, "late", 1_000, Bench.placing("late", (view, admitted, plan) -> {
            boolean waits = true;
            while (waits) {
                try {
                    goOn.await();
                    waits = false;
                } catch (InterruptedException ignored) {
                    // Such a policy does not end when it should.
                }
            }
            late.set(plan.open(0));
            used.countDown();
        }));
        bench.awaitState("late", "deciding");
        assertThat(Bench.planned(
                                bench.planner(),
                                bench.input().spec(3).unit(0, "a", 1, 1, 0).build())
                        .matching()
                        .name())
                .isEqualTo("first-fit");
        goOn.countDown();
        used.await();
        assertThat(late).as("no worker was opened").hasValue(-1);
    }
}
