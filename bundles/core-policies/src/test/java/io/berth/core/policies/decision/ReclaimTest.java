package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A distribution policy proposes that jobs return slots. */
class ReclaimTest {

    private final Bench bench = new Bench();
    private final List<Integer> onTheirWay = new ArrayList<>();
    private Consumer<AdmissionBuilder> reclaims = result -> {};
    private PlacementPlanner planner;

    @BeforeEach
    void begin() {
        bench.firstFit();
        bench.add(PolicyKind.DISTRIBUTION, "fair", 100, Bench.admitting("fair", (demands, result) -> {
            if (demands.candidate(1)) {
                result.admitMinimum(1);
            }
            onTheirWay.add(demands.returning(0, 0));
            reclaims.accept(result);
        }));
        bench.awaitState("fair", "deciding", "ready");
        planner = bench.planner();
    }

    @AfterEach
    void end() {
        planner.close();
        bench.close();
    }

    /** Job a has three slots and needs one of them; job b finds no room. */
    private Bench.Input input() {
        return bench.input()
                .worker(0, Bench.SLOT)
                .unit(0, "a", 1, 3, 3)
                .unit(1, "b", 2, 2, 0)
                .unit(2, "c", 5, 5, 2);
    }

    private PlanOutcome plan() throws Exception {
        return Bench.plan(planner, input().build());
    }

    @Test
    void thePolicySeesWhatIsOnItsWay() throws Exception {
        GroupDemand returns = new GroupDemand(
                "default", Bench.SLOT, 1, 3, 3, PlacementConstraints.NONE, Set.of(), new TreeMap<>(), 2);
        Bench.plan(
                planner,
                bench.input()
                        .worker(0, Bench.SLOT)
                        .unit(0, "a", returns)
                        .unit(1, "b", 2, 2, 0)
                        .build());
        assertThat(onTheirWay).isNotEmpty().containsOnly(2);
    }

    @Test
    void aProposalIsPartOfTheDecision() throws Exception {
        reclaims = result -> result.reclaim(0, 0, 2, "its share is too large");
        PlanOutcome.Planned planned = (PlanOutcome.Planned) plan();
        assertThat(planned.returns().reclaims()).containsExactly(new Reclaim(0, 0, 2, "its share is too large"));
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().results())
                .containsExactly("job a is asked to return 2 slots of group default: its share is too large");
    }

    @Test
    void aGroupThatLacksItsMinimumMayReturnAllThatItHas() throws Exception {
        reclaims = result -> result.reclaim(2, 0, 2, "it cannot run");
        assertThat(((PlanOutcome.Planned) plan()).returns().reclaims()).hasSize(1);
    }

    @Test
    void theMinimumIsNotReclaimed() throws Exception {
        reclaims = result -> {
            result.reclaim(0, 0, 1, "x");
            result.reclaim(0, 0, 2, "x");
        };
        assertThat(((PlanOutcome.NotDecided) plan()).reason())
                .contains("reclaims 2 slots of group default of unit all of job a: 1 to 1 is allowed");
    }

    /** Whether a policy breaks a rule does not depend on when it may ask. */
    @Test
    void theMinimumOfAJobThatMayNotBeAskedNowIsNotReclaimedEither() throws Exception {
        reclaims = result -> result.reclaim(0, 0, 2, "x");
        PlanOutcome.Planned planned = Bench.planned(planner, paused().build());
        assertThat(planned.returns().reclaims()).isEmpty();
        reclaims = result -> {
            result.reclaim(0, 0, 2, "x");
            result.reclaim(0, 0, 1, "x");
        };
        assertThat(((PlanOutcome.NotDecided) Bench.plan(planner, paused().build())).reason())
                .contains("reclaims 1 slots of group default of unit all of job a, which has no more to return");
    }

    private Bench.Input paused() {
        return bench.input().worker(0, Bench.SLOT).pausedUnit(0, "a", 1, 3, 3).unit(1, "b", 2, 2, 0);
    }

    @Test
    void onlyTheFirstRoundReclaims() throws Exception {
        AtomicInteger rounds = new AtomicInteger();
        reclaims = result -> result.reclaim(0, 0, rounds.incrementAndGet(), "x");
        PlanOutcome.Planned planned = (PlanOutcome.Planned) plan();
        assertThat(rounds).hasValueGreaterThan(1);
        assertThat(planned.returns().reclaims()).containsExactly(new Reclaim(0, 0, 1, "x"));
    }

    @Test
    void aProposalWithoutAReasonIsAFailure() throws Exception {
        for (String blank : new String[] {"", " \n", null}) {
            reclaims = result -> result.reclaim(0, 0, 1, blank);
            assertThat(((PlanOutcome.NotDecided) plan()).reason())
                    .contains("reclaims 1 slots of group default of unit all of job a and gives no reason:"
                            + " a line of text that is not blank is required");
        }
    }

    @Test
    void aGroupThatIsNotThereIsAFailure() throws Exception {
        reclaims = result -> result.reclaim(0, 1, 1, "x");
        assertThat(((PlanOutcome.NotDecided) plan()).reason())
                .contains("reclaims slots of group 1 of unit all of job a, which has 1");
    }

    @Test
    void theFirstSixtyFourSlotsCount() throws Exception {
        reclaims = result -> {
            result.reclaim(0, 0, 40, "x");
            result.reclaim(0, 0, 40, "x");
            result.reclaim(0, 0, 10, "x");
        };
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .worker(0, Bench.SLOT)
                        .unit(0, "a", 0, 100, 100)
                        .unit(1, "b", 2, 2, 0)
                        .build());
        assertThat(planned.returns().reclaims()).extracting(Reclaim::count).containsExactly(40, 24);
    }
}
