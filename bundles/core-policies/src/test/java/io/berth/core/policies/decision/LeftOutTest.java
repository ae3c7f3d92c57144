package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.registry.HostSettings;
import io.berth.core.policies.registry.PolicyLimits;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A strategy places each minimum for which there is room, or gives a reason. The host checks this itself. */
class LeftOutTest {

    private static final Bench.Placing SILENT = (workers, admitted, plan) -> {};

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    private void limit(long millis) {
        bench.platform.settings(HostSettings.defaults().withLimits(PolicyLimits.DEFAULTS.withLeftOutMillis(millis)));
    }

    private PlacementPlanner planner(Bench.Placing placing) {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "lazy", 1_000, Bench.placing("lazy", placing));
        bench.awaitState("lazy", "deciding");
        return bench.planner();
    }

    private List<String> reasons(PlanOutcome.Planned planned) {
        return bench.platform.decision(planned.decision()).orElseThrow().reasons();
    }

    @Test
    void leavingOutAMinimumThatFitsWithoutAReasonIsAFailureAndTheFallbackPlacesIt() throws Exception {
        PlanOutcome.Planned planned = Bench.planned(planner(SILENT), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.placements()).isNotEmpty();
        assertThat(reasons(planned))
                .anySatisfy(reason -> assertThat(reason)
                        .contains("matching lazy")
                        .contains("leaves out a minimum that there is room for, 1 x ")
                        .contains("of group default of job a, and gives no reason"));
        assertThat(bench.details("lazy").orElseThrow().failures()).isEqualTo(1);
    }

    @Test
    void aStrategyThatRepeatedlyLeavesOutAMinimumIsQuarantined() throws Exception {
        PlacementPlanner planner = planner(SILENT);
        Bench.planned(planner, bench.twoWorkersAndAJob());
        for (int round = 0; round < 3; round++) {
            Bench.planned(planner, bench.input().build());
        }
        assertThat(bench.state("lazy"))
                .startsWith("quarantined for pool default: leaves out a minimum that there is room for");
    }

    @Test
    void theCapacityOfWorkersThatCanBeStartedCounts() throws Exception {
        PlanningInput input = bench.input().spec(1).unit(0, "a", 2, 2, 0).build();
        assertThat(Bench.planned(planner(SILENT), input).matching().name()).isEqualTo("first-fit");
    }

    @Test
    void aMinimumOfSeveralProfilesCountsWhenFirstFitFindsRoomForIt() throws Exception {
        ResourceProfile half = ResourceProfile.of(2_000, 2_000);
        PlanningInput input = bench.input()
                .worker(0, Bench.SIZE)
                .unit(0, "a", new GroupDemand("x", Bench.SLOT, 2, 2, 0), new GroupDemand("y", half, 1, 1, 0))
                .build();
        assertThat(Bench.planned(planner(SILENT), input).matching().name()).isEqualTo("first-fit");
    }

    @Test
    void aMinimumWhoseGroupsFitOnlySeparatelyMayBeLeftOut() throws Exception {
        ResourceProfile most = ResourceProfile.of(3_000, 3_000);
        PlanningInput input = bench.input()
                .worker(0, Bench.SIZE)
                .unit(0, "a", new GroupDemand("x", Bench.SLOT, 2, 2, 0), new GroupDemand("y", most, 1, 1, 0))
                .unit(1, "big", 5, 5, 0)
                .build();
        assertThat(Bench.planned(planner(SILENT), input).matching().name()).isEqualTo("lazy");
    }

    @Test
    void aReasonIsAcceptedForALimitedTimeAndTheJobNamesTheStrategy() throws Exception {
        limit(60_000);
        PlanOutcome.Planned planned = Bench.planned(planner(Bench.LEAVES_OUT), bench.twoWorkersAndAJob());
        assertThat(planned.matching().name()).isEqualTo("lazy");
        assertThat(planned.reasons()).singleElement().satisfies(reason -> {
            assertThat(reason.why().code()).isEqualTo(ReasonCode.NOT_PLACED);
            assertThat(reason.reason())
                    .startsWith("left out by matching strategy lazy though there is room: 1 x ")
                    .endsWith(": not today");
        });
        assertThat(bench.details("lazy").orElseThrow().failures()).isZero();
    }

    @Test
    void afterTheLimitOfAReasonTheOwnerIsNotifiedAndTheFallbackDecides() throws Exception {
        PlacementPlanner planner = planner(Bench.LEAVES_OUT);
        limit(50);
        int before = bench.changes.get();
        Bench.planned(planner, bench.twoWorkersAndAJob());
        await().until(() -> bench.changes.get() > before);
        PlanOutcome.Planned planned = Bench.planned(planner, bench.input().build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned))
                .anySatisfy(
                        reason -> assertThat(reason).contains("with the reason 'not today'; left.out.limit.ms is 50"));
    }

    @Test
    void withoutAnotherStrategyThePlanIsUsedAndTheDecisionNamesTheStrategy() throws Exception {
        bench.fifo();
        bench.add(PolicyKind.MATCHING, "lazy", 1_000, Bench.placing("lazy", SILENT));
        bench.awaitState("lazy", "deciding");
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        for (int round = 0; round < 4; round++) {
            planned = Bench.planned(planner, bench.input().build());
        }
        assertThat(planned.matching().name()).isEqualTo("lazy");
        assertThat(reasons(planned).get(0)).contains("gives no reason; no other strategy is ready");
        assertThat(bench.details("lazy").orElseThrow().failures()).isEqualTo(5);
    }

    @Test
    void placingOnlyTheFirstJobWhenOthersFitIsAFailure() throws Exception {
        PlacementPlanner planner = planner((workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                if (entry == 0) {
                    plan.place(0, 0, admitted.count(0));
                }
            }
        });
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SIZE)
                        .unit(0, "first", 4, 4, 0)
                        .unit(1, "later", 4, 4, 0)
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.reasons()).isEmpty();
        assertThat(reasons(planned).get(0)).contains("of job later");
    }
}
