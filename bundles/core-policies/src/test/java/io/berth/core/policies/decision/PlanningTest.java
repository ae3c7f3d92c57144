package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.operations.PolicyOperations.DecisionDetails;
import io.berth.core.api.operations.PolicyOperations.DecisionFilter;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlanningTest {

    private static final ResourceProfile SIX_SLOTS = ResourceProfile.of(6_000, 6_000);

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    @Test
    void placesTheMinimumSeparatelyAndRecordsTheDecision() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned planned = Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(planned.placements())
                .containsExactly(new Placement(0, 0, 0, 1, true), new Placement(0, 0, 0, 2, false));
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.distribution().name()).isEqualTo("fifo");
        planner.committed(
                planned.decision(),
                new PlacementPlanner.Commit(
                        List.of(new CommittedSlot(
                                new JobId("a"),
                                "all",
                                "default",
                                new WorkerId("w0"),
                                new AllocationId(1, 1),
                                Bench.SLOT)),
                        0,
                        0,
                        "",
                        LedgerState.NONE,
                        LedgerState.NONE,
                        1));
        DecisionDetails decision = bench.platform.decision(planned.decision()).orElseThrow();
        assertThat(decision.policies()).extracting("name").containsExactly("fifo", "first-fit");
        assertThat(decision.stateNumber()).isEqualTo(planned.stateNumber());
        assertThat(decision.jobs()).containsExactly("a");
        assertThat(decision.inputs().get(1)).contains("job a").contains("3 x").contains("minimum 1");
        assertThat(decision.results()).hasSize(3);
        assertThat(decision.results().get(2)).contains("allocation 1-1");
    }

    @Test
    void sharesScarceSlotsAmongTheGroupsOfAUnit() throws Exception {
        PlanOutcome.Planned planned = Bench.planned(
                bench.withDefaults().planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SLOT)
                        .unit(
                                0,
                                "a",
                                new GroupDemand("source", Bench.SLOT, 1, 4, 0),
                                new GroupDemand("sink", Bench.SLOT, 1, 3, 0))
                        .build());
        int[] slots = new int[2];
        planned.placements().forEach(placement -> slots[placement.group()] += placement.count());
        assertThat(slots).as("five slots for 1 to 4 and 1 to 3").containsExactly(3, 2);
    }

    @Test
    void makesNoDecisionWhenNothingIsMissing() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input().worker(0, Bench.SIZE).unit(0, "a", 1, 1, 1).build());
        assertThat(planned.decision()).isZero();
        assertThat(planned.placements()).isEmpty();
        assertThat(decisions()).isEmpty();
    }

    @Test
    void opensNewWorkersWhenThereAreNone() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned planned = Bench.planned(
                planner, bench.input().spec(3).unit(0, "a", 6, 6, 0).build());
        assertThat(planned.newWorkers()).containsExactly(0, 0);
        assertThat(planned.placements())
                .containsExactly(
                        new Placement(0, 0, planned.firstNew(), 4, true),
                        new Placement(0, 0, planned.firstNew() + 1, 2, true));
    }

    @Test
    void saysWhyAUnitWaitsAndLetsLaterUnitsUseTheCapacity() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(0, "big", 5, 5, 0)
                        .unit(1, "small", 2, 2, 0)
                        .build());
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 0, 2, true));
        assertThat(planned.reasons()).hasSize(1);
        assertThat(planned.reasons().get(0).unit()).isZero();
        assertThat(planned.reasons().get(0).reason())
                .contains("no room for 5 x")
                .contains("too little cpu");
    }

    @Test
    void givesNoSlotAboveAMinimumThatDoesNotFitAndLetsLaterUnitsUseTheCapacity() throws Exception {
        for (String strategy : List.of("first-fit", "spread")) {
            try (Bench own = new Bench()) {
                PlacementPlanner planner = own.withDefaults().planner();
                own.platform.use(PolicyKind.MATCHING, strategy);
                PlanOutcome.Planned planned = Bench.planned(
                        planner,
                        own.input()
                                .worker(0, ResourceProfile.of(2_000, 2_000))
                                .unit(0, "w0", 4, 6, 0)
                                .unit(1, "w1", 4, 6, 0)
                                .unit(2, "w2", 4, 6, 0)
                                .unit(3, "w3", 4, 6, 0)
                                .unit(4, "late", 1, 3, 0)
                                .build());
                assertThat(planned.placements())
                        .as(strategy)
                        .containsExactly(new Placement(4, 0, 0, 1, true), new Placement(4, 0, 0, 1, false));
                assertThat(planned.reasons()).extracting("unit").containsExactly(0, 1, 2, 3, 4);
            }
        }
    }

    @Test
    void givesSlotsAboveTheMinimumWhenTheMinimumFitsInALaterRound() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        // In the first round, big takes two slots above its minimum, so the minimum of second does not fit.
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .worker(0, SIX_SLOTS)
                        .unit(0, "big", 7, 9, 0)
                        .unit(1, "second", 5, 6, 0)
                        .build());
        assertThat(planned.placements())
                .containsExactly(new Placement(1, 0, 0, 5, true), new Placement(1, 0, 0, 1, false));
    }

    @Test
    void showsTheSameStateAgainAfterADecisionThatWasNotCommitted() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        PlanOutcome.Planned first = Bench.planned(planner, bench.twoWorkersAndAJob());
        PlanOutcome.Planned second = Bench.planned(planner, bench.input().build());
        assertThat(second.placements()).isEqualTo(first.placements());
        PlanOutcome.Planned third = Bench.planned(
                planner,
                bench.input()
                        .worker(0, ResourceProfile.of(1_000, 1_000))
                        .unit(0, "a", 1, 3, 1)
                        .build());
        assertThat(third.placements())
                .containsExactly(new Placement(0, 0, 0, 1, false), new Placement(0, 0, 1, 1, false));
    }

    @Test
    void handlesAnExtendedResourceThatAppearsLater() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        Bench.planned(planner, bench.twoWorkersAndAJob());
        ResourceProfile gpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .unit(1, "b", new GroupDemand("default", gpu, 1, 1, 0))
                        .build());
        assertThat(planned.reasons()).hasSize(1);
        assertThat(planned.reasons().get(0).reason()).contains("gpu");
    }

    @Test
    void handlesANewExtendedResourceWhenNewWorkersCanBeStarted() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        ResourceProfile gpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        PlanOutcome.Planned planned = Bench.planned(
                planner,
                bench.input()
                        .spec(2)
                        .unit(0, "a", new GroupDemand("default", gpu, 1, 1, 0))
                        .unit(1, "b", 1, 1, 0)
                        .build());
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, planned.firstNew(), 1, true));
        assertThat(planned.reasons()).hasSize(1);
        assertThat(bench.details("first-fit").orElseThrow().failures()).isZero();
    }

    @Test
    void resourcesThatOnlyJobsNameAddOneDimensionAndResourcesOfWorkersArePlaced() throws Exception {
        AtomicInteger dimensions = new AtomicInteger();
        bench.fifo();
        bench.add(PolicyKind.MATCHING, "counts", 900, Bench.placing("counts", (workers, admitted, plan) -> {
            dimensions.set(workers.dimensions());
            Bench.LEAVES_OUT.place(workers, admitted, plan);
        }));
        bench.awaitState("counts", "deciding");
        PlacementPlanner planner = bench.planner();
        Bench.planned(planner, bench.twoWorkersAndAJob());
        int before = dimensions.get();
        for (int job = 1; job < 20; job++) {
            ResourceProfile odd = with("odd-" + job);
            PlanOutcome.Planned planned = Bench.planned(
                    planner,
                    bench.input()
                            .unit(job, "j" + job, new GroupDemand("default", odd, 1, 1, 0))
                            .build());
            assertThat(planned.reasons()).extracting("unit").contains(job);
        }
        assertThat(dimensions.get()).isEqualTo(before + 1);

        bench.add(PolicyKind.MATCHING, "first-fit", 1_000, new io.berth.matching.firstfit.FirstFitFactory());
        bench.awaitState("first-fit", "deciding");
        PlanOutcome.Planned planned =
                Bench.planned(planner, bench.input().worker(9, with("odd-7")).build());
        assertThat(planned.placements()).contains(new Placement(7, 0, 9, 1, true));
        assertThat(planned.placements()).extracting(Placement::unit).containsOnly(0, 7);
    }

    private static ResourceProfile with(String resource) {
        return new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of(resource, 1L)));
    }

    @Test
    void aStrategyThatLeavesOutAnotherMinimumInEachCallDoesNotBlockTheOthers() throws Exception {
        bench.fifo();
        AtomicInteger calls = new AtomicInteger();
        bench.add(PolicyKind.MATCHING, "restless", 900, Bench.placing("restless", (workers, admitted, plan) -> {
            int leftOut = calls.getAndIncrement();
            for (int entry = 0; entry < admitted.size(); entry++) {
                int job = Integer.parseInt(admitted.job(entry).value());
                if (admitted.gang(entry) < 0) {
                    plan.place(entry, 6 + job % 2, 1);
                } else if (job == leftOut) {
                    plan.leaveOut(entry, "not now");
                } else {
                    plan.place(entry, job, 1);
                }
            }
        }));
        bench.awaitState("restless", "deciding");
        Bench.Input input = bench.input().worker(6, Bench.SIZE).worker(7, Bench.SIZE);
        for (int job = 0; job < 6; job++) {
            input.worker(job, with("own-" + job));
            input.unit(
                    job,
                    Integer.toString(job),
                    new GroupDemand("own", with("own-" + job), 1, 1, 0),
                    new GroupDemand("more", Bench.SLOT, 0, 1, 0));
        }
        assertThat(Bench.planned(bench.planner(), input.build()).placements())
                .filteredOn(Placement::minimum)
                .hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void decidesNothingWithoutAStrategyAndResumesWhenOneAppears() throws Exception {
        bench.fifo();
        PlacementPlanner planner = bench.planner();
        assertThat(Bench.plan(planner, bench.twoWorkersAndAJob()))
                .isEqualTo(new PlanOutcome.NotDecided(Reason.of(ReasonCode.NO_STRATEGY, "no matching strategy")));
        int before = bench.changes.get();
        bench.firstFit();
        org.awaitility.Awaitility.await().until(() -> bench.changes.get() > before);
        assertThat(Bench.planned(planner, bench.input().build()).placements()).hasSize(2);
    }

    @Test
    void followsTheRanking() throws Exception {
        FakeRegistration firstFit = bench.firstFit();
        FakeRegistration spread = bench.spread();
        bench.fifo();
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned before = Bench.planned(planner, bench.twoWorkersAndAJob());
        assertThat(before.matching().name()).isEqualTo("first-fit");
        spread.ranking = 200;
        bench.platform.registry().updated(spread.id());
        PlanOutcome.Planned after = Bench.planned(planner, bench.input().build());
        assertThat(after.matching().name()).isEqualTo("spread");
        assertThat(after.matching().generation())
                .isGreaterThan(before.matching().generation());
        assertThat(after.placements()).extracting(Placement::worker).contains(0, 1);
        bench.platform.registry().remove(spread.id());
        assertThat(Bench.planned(planner, bench.input().build()).matching().name())
                .isEqualTo("first-fit");
        org.awaitility.Awaitility.await().until(() -> spread.released.get() == 1);
        assertThat(firstFit.released).hasValue(0);
    }

    @Test
    void theOlderServiceOfEqualRankingDecides() throws Exception {
        bench.fifo();
        bench.add(PolicyKind.MATCHING, "older", 7, Bench.placing("older", Bench.LEAVES_OUT));
        bench.add(PolicyKind.MATCHING, "newer", 7, Bench.placing("newer", Bench.LEAVES_OUT));
        bench.awaitState("newer", "ready");
        bench.awaitState("older", "deciding");
        assertThat(Bench.planned(bench.planner(), bench.twoWorkersAndAJob())
                        .matching()
                        .name())
                .isEqualTo("older");
    }

    @Test
    void findsDecisionsByPolicyAndJob() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        Bench.planned(planner, bench.twoWorkersAndAJob());
        bench.platform.use(PolicyKind.MATCHING, "spread");
        Bench.planned(planner, bench.input().build());
        assertThat(decisions()).hasSize(2);
        assertThat(bench.platform.decisions(new DecisionFilter(
                        Optional.of(PolicyKind.MATCHING), Optional.of("spread"), Optional.of("a"), 10)))
                .hasSize(1);
        assertThat(bench.platform.decisions(
                        new DecisionFilter(Optional.empty(), Optional.empty(), Optional.of("b"), 10)))
                .isEmpty();
    }

    private List<DecisionDetails> decisions() {
        return bench.platform.decisions(new DecisionFilter(Optional.empty(), Optional.empty(), Optional.empty(), 100));
    }
}
