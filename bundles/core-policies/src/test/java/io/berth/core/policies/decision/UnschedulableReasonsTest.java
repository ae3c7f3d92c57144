package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.NotDecided;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.DistributionPolicyFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class UnschedulableReasonsTest {

    private final Bench bench = new Bench();

    @AfterEach
    void close() {
        bench.close();
    }

    private Reason undecided(PlacementPlanner planner) throws Exception {
        PlanOutcome outcome = Bench.plan(planner, bench.twoWorkersAndAJob());
        assertThat(outcome).isInstanceOf(NotDecided.class);
        return ((NotDecided) outcome).why();
    }

    @Test
    void namesTheMissingKindOfPolicy() throws Exception {
        bench.fifo();
        assertThat(undecided(bench.planner())).isEqualTo(Reason.of(ReasonCode.NO_STRATEGY, "no matching strategy"));
        try (Bench other = new Bench()) {
            other.firstFit();
            PlanOutcome outcome = Bench.plan(other.planner(), other.twoWorkersAndAJob());
            assertThat(outcome)
                    .isEqualTo(new NotDecided(Reason.of(ReasonCode.NO_DISTRIBUTION, "no distribution policy")));
        }
    }

    @Test
    void reportsThatAPolicyFailsAndThenThatItIsQuarantined() throws Exception {
        bench.fifo();
        bench.add(PolicyKind.MATCHING, "villain", 1_000, Bench.placing("villain", (workers, admitted, plan) -> {
            throw new IllegalStateException("on purpose");
        }));
        bench.awaitState("villain", "deciding");
        PlacementPlanner planner = bench.planner();
        Reason failed = undecided(planner);
        assertThat(failed.code()).isEqualTo(ReasonCode.POLICY_FAILED);
        assertThat(failed.line())
                .startsWith("no matching strategy: ")
                .contains("villain")
                .contains("on purpose");
        Reason last = failed;
        for (int round = 0; round < 3; round++) {
            last = ((NotDecided) Bench.plan(planner, bench.input().build())).why();
        }
        assertThat(last.code()).isEqualTo(ReasonCode.QUARANTINED);
        assertThat(last.causes().get(0).code()).isEqualTo(ReasonCode.QUARANTINED);
        assertThat(last.line())
                .startsWith("no matching strategy: villain is quarantined for pool default, since")
                .contains("on purpose");
    }

    @Test
    void containsTheReasonOfADistributionPolicyThatDefers() throws Exception {
        bench.firstFit();
        bench.add(PolicyKind.DISTRIBUTION, "later", 1_000, deferring("queue night opens at 22:00"));
        bench.awaitState("later", "deciding");
        assertThat(Bench.planned(bench.planner(), bench.twoWorkersAndAJob()).reasons())
                .singleElement()
                .satisfies(reason -> {
                    assertThat(reason.why().code()).isEqualTo(ReasonCode.DEFERRED);
                    assertThat(reason.reason())
                            .isEqualTo("deferred by distribution policy later: queue night opens at 22:00");
                });
    }

    @Test
    void namesADistributionPolicyThatGivesNoReason() throws Exception {
        bench.firstFit();
        bench.add(PolicyKind.DISTRIBUTION, "mute", 1_000, deferring(""));
        bench.awaitState("mute", "deciding");
        assertThat(Bench.planned(bench.planner(), bench.twoWorkersAndAJob()).reasons())
                .singleElement()
                .satisfies(reason -> assertThat(reason.why())
                        .isEqualTo(Reason.of(ReasonCode.DEFERRED, "not admitted by distribution policy mute")));
    }

    @Test
    void containsTheReasonOfAStrategyAsACauseOfTheHostsReason() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input().worker(0, Bench.SIZE).unit(0, "big", 5, 5, 0).build());
        Reason why = planned.reasons().get(0).why();
        assertThat(why.code()).isEqualTo(ReasonCode.NOT_PLACED);
        assertThat(why.text()).startsWith("no room for 5 x ").doesNotContain("too little");
        assertThat(why.causes()).singleElement().satisfies(words -> {
            assertThat(words.code()).isEqualTo(ReasonCode.POLICY);
            assertThat(words.text()).startsWith("matching strategy first-fit: ").contains("too little cpu");
        });
    }

    private static DistributionPolicyFactory deferring(String words) {
        return Bench.admitting(words.isEmpty() ? "mute" : "later", (demands, result) -> {
            for (int unit = 0; unit < demands.limit(); unit++) {
                if (demands.candidate(unit) && !words.isEmpty()) {
                    result.defer(unit, words);
                }
            }
        });
    }
}
