package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.LabelRule;
import io.berth.core.api.job.PlacementConstraints.Operator;
import io.berth.core.api.job.PlacementConstraints.Preference;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots are placed where the constraints of their group allow it; the host checks this itself. */
class ConstraintsTest {

    private static final WorkerLabels ZONE_A = labels(Map.of("zone", "a"), Map.of());
    private static final WorkerLabels ZONE_B = labels(Map.of("zone", "b"), Map.of());
    private static final WorkerLabels TAINTED_A = labels(Map.of("zone", "a"), Map.of("gpu", "yes"));
    private static final PlacementConstraints IN_A = inZone("a", Map.of());
    private static final PlacementConstraints IN_A_TOLERANT = inZone("a", Map.of("gpu", ""));

    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    private static WorkerLabels labels(Map<String, String> labels, Map<String, String> taints) {
        return new WorkerLabels(new TreeMap<>(labels), new TreeMap<>(taints));
    }

    private static PlacementConstraints inZone(String zone, Map<String, String> tolerate) {
        return new PlacementConstraints(
                List.of(new LabelRule("zone", Operator.IN, List.of(zone))), List.of(), new TreeMap<>(tolerate));
    }

    private static GroupDemand wants(int minimum, int desired, PlacementConstraints constraints) {
        return new GroupDemand("default", Bench.SLOT, minimum, desired, 0, constraints);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void slotsArePlacedOnWorkersThatTheConstraintsAllow(String strategy) throws Exception {
        bench.withDefaults();
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SIZE, ZONE_A)
                        .worker(2, Bench.SIZE, ZONE_B)
                        .worker(3, Bench.SIZE, TAINTED_A)
                        .spec(5)
                        .unit(0, "a", wants(6, 6, IN_A_TOLERANT))
                        .unit(1, "b", wants(1, 6, IN_A))
                        .unit(2, "c", wants(1, 20, PlacementConstraints.NONE))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        int[][] slots = new int[3][9];
        planned.placements().forEach(placement -> slots[placement.unit()][placement.worker()] += placement.count());
        assertThat(slots[0][1] + slots[0][3]).as("in zone a, taint tolerated").isEqualTo(6);
        assertThat(slots[1][1]).as("what is left of zone a without a taint").isEqualTo(4 - slots[0][1]);
        assertThat(slots[2]).as("anywhere without a taint").startsWith(4, 0, 4, 0);
        assertThat(slots[2][4] + slots[2][5] + slots[2][6]).as("on new workers").isEqualTo(12);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void newWorkersAreOfASpecThatTheConstraintsAllow(String strategy) throws Exception {
        bench.withDefaults();
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .spec(1, TAINTED_A)
                        .spec(1, ZONE_A)
                        .spec(1, ZONE_B)
                        .unit(0, "a", wants(1, 9, IN_A))
                        .unit(1, "b", wants(1, 3, IN_A_TOLERANT))
                        .unit(2, "c", wants(1, 9, PlacementConstraints.NONE))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        int[][] slots = new int[3][3];
        planned.placements()
                .forEach(placement ->
                        slots[placement.unit()][planned.newWorkers().get(placement.worker() - planned.firstNew())] +=
                                placement.count());
        assertThat(slots[0]).as("in zone a without a taint").isEqualTo(new int[] {0, 4, 0});
        assertThat(slots[1]).as("in zone a, the taint is tolerated").isEqualTo(new int[] {3, 0, 0});
        assertThat(slots[2]).as("anywhere without a taint").isEqualTo(new int[] {0, 0, 4});
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void newWorkersAreOfTheSpecThatAGroupPrefersWhileThereAreAny(String strategy) throws Exception {
        bench.withDefaults();
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlacementConstraints rather = new PlacementConstraints(
                List.of(),
                List.of(new Preference(new LabelRule("zone", Operator.IN, List.of("b")), 5)),
                new TreeMap<>());
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .spec(5, ZONE_A)
                        .spec(1, ZONE_B)
                        .unit(0, "a", wants(8, 8, rather))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        assertThat(planned.newWorkers()).containsExactly(1, 0);
    }

    @Test
    void aNewWorkerThatAConstraintExcludesIsRejected() throws Exception {
        bench.withDefaults();
        bench.add(
                PolicyKind.MATCHING,
                "careless",
                1_000,
                Bench.placing("careless", (workers, admitted, plan) -> plan.place(0, plan.open(0), 1)));
        bench.awaitState("careless", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .spec(1, ZONE_B)
                        .spec(1, ZONE_A)
                        .unit(0, "a", wants(1, 1, IN_A))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.newWorkers()).containsExactly(1);
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("where they may not be: the labels and taints of its spec do not fit"));
    }

    @Test
    void aStrategySeesWhatAnEntryAndAWorkerAre() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "curious", 1_000, Bench.placing("curious", (workers, admitted, plan) -> {
            if (admitted.size() > 0) {
                seen.add(admitted.job(0) + " " + admitted.unit(0) + " " + admitted.group(0) + " " + admitted.queue(0)
                        + " " + admitted.priority(0) + " " + admitted.label(0, "team"));
                seen.add(workers.backend(0) + " " + workers.spec(0) + " " + workers.costPerHour(0) + " "
                        + workers.label(0, "zone") + " " + workers.startedAt(0) + " " + workers.leavingAt(0));
                seen.add(workers.specBackend(0) + " " + workers.specName(0) + " " + workers.specLabel(0, "zone")
                        + " " + workers.specTaint(0, "gpu") + " " + workers.specCostPerHour(0) + " "
                        + workers.specStartMillis(0));
            }
        }));
        bench.awaitState("curious", "deciding");
        UnitDemand unit = new UnitDemand(
                new JobId("a"),
                "all",
                0,
                new SchedulingAttributes(
                        "default", "nightly", "ann", 7, 90_000, 3, new TreeMap<>(Map.of("team", "search"))),
                List.of(wants(0, 1, PlacementConstraints.NONE)));
        WorkerColumn worker = new WorkerColumn(
                        new WorkerId("w0"),
                        false,
                        Bench.SIZE,
                        Bench.SIZE,
                        Bench.SLOT,
                        new Origin("local", "large", 0.5),
                        ZONE_A)
                .startedAt(1_234)
                .leavingAt(5_678);
        SpecColumn spec =
                new SpecColumn(new Origin("local", "huge", 2.25), Bench.SIZE, Bench.SLOT, 1, TAINTED_A, 90_000);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                new PlanningInput(
                        1,
                        List.of(new WorkerChange(0, Optional.of(worker))),
                        List.of(new UnitChange(0, Optional.of(unit))),
                        List.of(spec)));
        assertThat(seen)
                .startsWith(
                        "a all default nightly 7 Optional[search]",
                        "local large 0.5 Optional[a] OptionalLong[1234] OptionalLong[5678]",
                        "local huge Optional[a] Optional[yes] 2.25 90000");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().inputs())
                .contains("may start 1 workers of spec local/huge with " + Bench.SIZE
                        + ", each for 2.25 an hour, which usually register after 2 min");
    }

    @Test
    void aPlanThatIgnoresAConstraintIsRejected() throws Exception {
        bench.withDefaults();
        bench.add(
                PolicyKind.MATCHING,
                "careless",
                1_000,
                Bench.placing("careless", (workers, admitted, plan) -> plan.place(0, 0, 1)));
        bench.awaitState("careless", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, ZONE_B)
                        .worker(1, Bench.SIZE, ZONE_A)
                        .unit(0, "a", wants(1, 1, IN_A))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.placements()).containsExactly(new Placement(0, 0, 1, 1, true));
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains(
                                "places slots of group default of job a on worker w0, where they may not be: label zone"
                                        + " in a is required"));
    }

    @Test
    void roomThatAConstraintExcludesGoesToLaterJobs() throws Exception {
        PlanOutcome.Planned planned = Bench.planned(
                bench.withDefaults().planner(),
                bench.input()
                        .worker(0, Bench.SIZE, ZONE_B)
                        .unit(0, "a", wants(2, 2, IN_A))
                        .unit(1, "b", wants(4, 4, PlacementConstraints.NONE))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 0, 4, true));
    }

    @Test
    void aMinimumThatAConstraintExcludesMayBeLeftOutWithoutAReason() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "silent", 1_000, Bench.placing("silent", (workers, admitted, plan) -> {}));
        bench.awaitState("silent", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, ZONE_B)
                        .spec(3)
                        .unit(0, "a", wants(2, 2, IN_A))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("silent");
        assertThat(bench.details("silent").orElseThrow().failures()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void newLabelsOfAWorkerAreKnownAtTheNextDecision(String strategy) throws Exception {
        bench.withDefaults();
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlacementPlanner planner = bench.planner();
        assertThat(Bench.planned(
                                planner,
                                bench.input()
                                        .worker(0, Bench.SIZE)
                                        .unit(0, "a", wants(1, 1, IN_A))
                                        .build())
                        .placements())
                .isEmpty();
        assertThat(Bench.planned(
                                planner,
                                bench.input().worker(0, Bench.SIZE, ZONE_A).build())
                        .placements())
                .containsExactly(new Placement(0, 0, 0, 1, true));
        assertThat(Bench.planned(
                                planner,
                                bench.input().worker(0, Bench.SIZE, TAINTED_A).build())
                        .placements())
                .isEmpty();
    }

    @Test
    void aGroupWithoutConstraintsAvoidsATaintThatAppears() throws Exception {
        PlacementPlanner planner = bench.withDefaults().planner();
        assertThat(Bench.planned(
                                planner,
                                bench.input()
                                        .worker(0, Bench.SIZE)
                                        .unit(0, "a", wants(1, 1, PlacementConstraints.NONE))
                                        .build())
                        .placements())
                .hasSize(1);
        assertThat(Bench.planned(
                                planner,
                                bench.input().worker(0, Bench.SIZE, TAINTED_A).build())
                        .placements())
                .isEmpty();
        assertThat(Bench.planned(planner, bench.input().worker(0, Bench.SIZE).build())
                        .placements())
                .hasSize(1);
    }

    @Test
    void aGangOfGroupsWithDifferentConstraintsIsPlacedWhole() throws Exception {
        PlanOutcome.Planned planned = Bench.planned(
                bench.withDefaults().planner(),
                bench.input()
                        .worker(0, Bench.SIZE, ZONE_A)
                        .worker(1, Bench.SIZE, ZONE_B)
                        .unit(
                                0,
                                "a",
                                new GroupDemand("x", Bench.SLOT, 4, 4, 0, inZone("b", Map.of())),
                                new GroupDemand("y", Bench.SLOT, 4, 4, 0, IN_A))
                        .build());
        assertThat(planned.placements())
                .containsExactlyInAnyOrder(new Placement(0, 0, 1, 4, true), new Placement(0, 1, 0, 4, true));
    }
}
