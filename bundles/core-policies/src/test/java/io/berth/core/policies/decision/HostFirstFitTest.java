package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.PlacementBuilder;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The host tries the first fit of a gang for which a strategy found no room. */
class HostFirstFitTest {

    private static final ResourceProfile LARGE = ResourceProfile.of(3_000, 3_000);

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    private PlanOutcome.Planned planned(Bench.Placing placing, PlanningInput input) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "simple", 1_000, Bench.placing("simple", placing));
        bench.awaitState("simple", "deciding");
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), input);
        assertThat(planned.matching().name())
                .as("who decides: %s", reasons(planned))
                .isEqualTo("simple");
        assertThat(bench.details("simple").orElseThrow().failures()).isZero();
        return planned;
    }

    private List<String> reasons(PlanOutcome.Planned planned) {
        return bench.platform.decision(planned.decision()).orElseThrow().reasons();
    }

    private static void findsNoRoom(AdmittedView admitted, PlacementBuilder plan) {
        for (int entry = 0; entry < admitted.size(); entry++) {
            plan.unplaced(entry, "too difficult");
        }
    }

    /** A gang that fits two workers in only one way. */
    private static GroupDemand[] mixed() {
        return new GroupDemand[] {
            new GroupDemand("small", Bench.SLOT, 2, 2, 0), new GroupDemand("large", LARGE, 2, 2, 0)
        };
    }

    private static SortedMap<Integer, Integer> byWorker(PlanOutcome.Planned planned) {
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        planned.placements().forEach(placement -> slots.merge(placement.worker(), placement.count(), Integer::sum));
        return slots;
    }

    @Test
    void aGangForWhichTheStrategyFoundNoRoomIsPlacedAndTheDecisionSaysSo() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> findsNoRoom(admitted, plan),
                bench.input()
                        .worker(0, ResourceProfile.of(2_000, 2_000))
                        .worker(1, LARGE)
                        .worker(2, LARGE)
                        .unit(0, "a", mixed())
                        .build());
        assertThat(planned.placements())
                .containsExactlyInAnyOrder(
                        new Placement(0, 0, 0, 2, true),
                        new Placement(0, 1, 1, 1, true),
                        new Placement(0, 1, 2, 1, true));
        assertThat(planned.reasons()).isEmpty();
        assertThat(reasons(planned))
                .singleElement()
                .asString()
                .startsWith("placed by the host's first fit, matching strategy simple found no room: 2 x ")
                .endsWith(" of group small and 1 more groups of job a");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().rounds())
                .singleElement()
                .asString()
                .contains("4 of 4 admitted slots placed, of these the minimum of one unit by the host's first fit");
    }

    @Test
    void aGangOfOneProfileIsPlacedTooAlsoOnNewWorkers() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> findsNoRoom(admitted, plan),
                bench.input()
                        .worker(0, Bench.SLOT)
                        .spec(3)
                        .unit(0, "a", 6, 6, 0)
                        .build());
        assertThat(planned.newWorkers()).containsExactly(0, 0);
        assertThat(byWorker(planned)).containsExactly(Map.entry(0, 1), Map.entry(1, 4), Map.entry(2, 1));
    }

    @Test
    void aGangThatDoesNotFitStaysOutWithTheWordsOfTheStrategy() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> findsNoRoom(admitted, plan),
                bench.input().worker(0, Bench.SIZE).unit(0, "a", mixed()).build());
        assertThat(planned.placements()).isEmpty();
        assertThat(planned.reasons())
                .singleElement()
                .satisfies(reason ->
                        assertThat(reason.reason()).contains("matching strategy simple, group large: too difficult"));
    }

    @Test
    void exclusionsOfTheStrategyAndRoomThatItReservesAreRespected() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    for (int entry = 0; entry < admitted.size(); entry++) {
                        if (admitted.job(entry).value().equals("first")) {
                            plan.reserve(entry, 0, 4);
                        } else {
                            plan.exclude(entry, 1, "not there");
                        }
                        plan.unplaced(entry, "too difficult");
                    }
                },
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SIZE)
                        .worker(2, Bench.SIZE)
                        .unit(0, "first", 13, 13, 0)
                        .unit(1, "second", 4, 4, 0)
                        .unit(2, "third", 4, 4, 0)
                        .build());
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 2, 4, true));
    }

    @Test
    void itsOwnReservationIsNotInItsWay() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    findsNoRoom(admitted, plan);
                    plan.reserve(0, 0, 4);
                },
                bench.input().worker(0, Bench.SIZE).unit(0, "a", 4, 4, 0).build());
        assertThat(planned.placements()).containsExactly(new Placement(0, 0, 0, 4, true));
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().results())
                .noneMatch(line -> line.contains("reserved"));
    }

    /** The strategy gives the worker that only the mixed gang can use to a later job, which fits elsewhere too. */
    @Test
    void aGangComesBeforeLaterRanksThatTookItsRoomAndTheseArePlacedAgain() throws Exception {
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> {
                    for (int entry = 0; entry < admitted.size(); entry++) {
                        if (!admitted.job(entry).value().equals("later")) {
                            plan.unplaced(entry, "too difficult");
                        } else {
                            int worker = 0;
                            while (workers.free(worker, 0) < 1_000L * admitted.count(entry)) {
                                worker++;
                            }
                            plan.place(entry, worker, admitted.count(entry));
                        }
                    }
                },
                bench.input()
                        .worker(0, ResourceProfile.of(2_000, 2_000))
                        .worker(1, LARGE)
                        .worker(2, LARGE)
                        .worker(3, ResourceProfile.of(1_500, 1_500))
                        .unit(0, "a", mixed())
                        .unit(1, "later", 1, 1, 0)
                        .build());
        assertThat(planned.placements())
                .containsExactlyInAnyOrder(
                        new Placement(0, 0, 0, 2, true),
                        new Placement(0, 1, 1, 1, true),
                        new Placement(0, 1, 2, 1, true),
                        new Placement(1, 0, 3, 1, true));
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().rounds())
                .first()
                .asString()
                .contains("later ranks are placed again");
    }

    /** One kind of slot needs no packing: a strategy that gives its room away breaks a rule. */
    @Test
    void aGangOfOneProfileWhoseRoomLaterRanksTakeIsStillAFailure() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "simple", 1_000, Bench.placing("simple", (workers, admitted, plan) -> {
            plan.unplaced(0, "too difficult");
            plan.place(1, 0, 1);
        }));
        bench.awaitState("simple", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(0, "a", 4, 4, 0)
                        .unit(1, "b", 1, 1, 0)
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
    }

    @Test
    void slotsThatAreToBeSpreadAreSpreadForAStrategyThatDoesNot() throws Exception {
        PlacementConstraints constraints =
                new PlacementConstraints(List.of(), List.of(), new TreeMap<>(), Optional.of(new Spread("zone", 1)));
        GroupDemand spread = new GroupDemand("default", Bench.SLOT, 7, 7, 0, constraints, Set.of(), new TreeMap<>());
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> findsNoRoom(admitted, plan),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("a"))
                        .worker(2, ResourceProfile.of(2_000, 2_000), zone("b"))
                        .worker(3, Bench.SIZE, WorkerLabels.NONE)
                        .spec(2, zone("c"))
                        .unit(0, "a", spread)
                        .build());
        assertThat(byWorker(planned).values().stream()
                        .mapToInt(Integer::intValue)
                        .sum())
                .isEqualTo(7);
        assertThat(byWorker(planned).get(0)).isEqualTo(3);
        assertThat(byWorker(planned).get(2)).isEqualTo(2);
        assertThat(byWorker(planned)).doesNotContainKeys(1, 3);
        assertThat(planned.newWorkers()).containsExactly(0);
    }

    @Test
    void aSpreadThatIsImpossibleLeavesTheGangOut() throws Exception {
        PlacementConstraints constraints =
                new PlacementConstraints(List.of(), List.of(), new TreeMap<>(), Optional.of(new Spread("zone", 1)));
        GroupDemand spread = new GroupDemand("default", Bench.SLOT, 4, 4, 0, constraints, Set.of(), new TreeMap<>());
        PlanOutcome.Planned planned = planned(
                (workers, admitted, plan) -> findsNoRoom(admitted, plan),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SLOT, zone("b"))
                        .unit(0, "a", spread)
                        .build());
        assertThat(planned.placements()).isEmpty();
    }

    @Test
    void triesForALimitedNumberOfGangsAndTheOwnerIsAskedAgainForTheOthers() throws Exception {
        Bench.Input input = bench.input();
        for (int job = 0; job < 20; job++) {
            input.worker(job, Bench.SIZE);
            input.unit(
                    job,
                    "job-" + job,
                    new GroupDemand("small", Bench.SLOT, 1, 1, 0),
                    new GroupDemand("large", LARGE, 1, 1, 0));
        }
        int before = bench.changes.get();
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> findsNoRoom(admitted, plan), input.build());
        assertThat(planned.placements().stream().map(Placement::unit).distinct())
                .hasSize(16);
        assertThat(planned.reasons()).hasSize(4);
        await().until(() -> bench.changes.get() > before);
    }

    private static WorkerLabels zone(String zone) {
        return new WorkerLabels(new TreeMap<>(Map.of("zone", zone)), new TreeMap<>());
    }
}
