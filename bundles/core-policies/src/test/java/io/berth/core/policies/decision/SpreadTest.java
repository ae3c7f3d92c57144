package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.PlacementConstraints;
import io.berth.core.api.job.PlacementConstraints.Spread;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.SpreadView;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Slots of a group are spread over the values of a label; the host checks this itself. */
class SpreadTest {

    private static final int HELD = 4;

    private final Bench bench = new Bench();

    @BeforeEach
    void begin() throws Exception {
        bench.withDefaults();
    }

    @AfterEach
    void end() {
        bench.close();
    }

    private static WorkerLabels zone(String zone) {
        return new WorkerLabels(new TreeMap<>(Map.of("zone", zone)), new TreeMap<>());
    }

    private static GroupDemand spread(int minimum, int desired, int maxSkew, Map<Integer, Integer> slotsOn) {
        return new GroupDemand(
                "default",
                Bench.SLOT,
                minimum,
                desired,
                slotsOn.values().stream().mapToInt(Integer::intValue).sum(),
                new PlacementConstraints(
                        List.of(), List.of(), new TreeMap<>(), Optional.of(new Spread("zone", maxSkew))),
                Set.of(),
                new TreeMap<>(slotsOn));
    }

    private static SortedMap<Integer, Integer> byWorker(PlanOutcome.Planned planned) {
        SortedMap<Integer, Integer> slots = new TreeMap<>();
        planned.placements().forEach(placement -> slots.merge(placement.worker(), placement.count(), Integer::sum));
        return slots;
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void slotsAreSpreadEvenlyAndNotOnWorkersWithoutTheLabel(String strategy) throws Exception {
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("a"))
                        .worker(2, Bench.SIZE, zone("b"))
                        .worker(3, Bench.SIZE, zone("c"))
                        .worker(4, Bench.SIZE)
                        .unit(0, "a", spread(5, 7, 1, Map.of()))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        SortedMap<Integer, Integer> slots = byWorker(planned);
        assertThat(slots).doesNotContainKey(4);
        assertThat(List.of(
                        slots.getOrDefault(0, 0) + slots.getOrDefault(1, 0),
                        slots.getOrDefault(2, 0),
                        slots.getOrDefault(3, 0)))
                .containsExactlyInAnyOrder(3, 2, 2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void aFullZoneLimitsTheOthersAndSaysSo(String strategy) throws Exception {
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("a"))
                        .worker(2, Bench.SIZE, zone("b"))
                        .unit(0, "a", spread(1, 20, 1, Map.of(2, 1)))
                        .unit(1, "b", new GroupDemand("default", Bench.SLOT, HELD, HELD, 0))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        SortedMap<Integer, Integer> ofA = new TreeMap<>();
        planned.placements().stream()
                .filter(placement -> placement.unit() == 0)
                .forEach(placement -> ofA.merge(placement.worker(), placement.count(), Integer::sum));
        int inA = ofA.getOrDefault(0, 0) + ofA.getOrDefault(1, 0);
        int inB = 1 + ofA.getOrDefault(2, 0);
        assertThat(inA - inB).isLessThanOrEqualTo(1);
        assertThat(inB).as("zone b is filled").isEqualTo(1 + HELD - fromOthers(planned, 2));
        assertThat(planned.reasons())
                .anySatisfy(reason -> assertThat(reason.reason().toString())
                        .contains("at most 1 slots more with one value of label zone than with another"));
    }

    private static int fromOthers(PlanOutcome.Planned planned, int worker) {
        return planned.placements().stream()
                .filter(placement -> placement.unit() == 1 && placement.worker() == worker)
                .mapToInt(PlanOutcome.Placement::count)
                .sum();
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void newWorkersAreSpreadToo(String strategy) throws Exception {
        bench.platform.use(PolicyKind.MATCHING, strategy);
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .spec(2, zone("a"))
                        .spec(2, zone("b"))
                        .spec(2, zone("c"))
                        .spec(2)
                        .unit(0, "a", spread(6, 6, 1, Map.of()))
                        .build());
        assertThat(planned.matching().name()).isEqualTo(strategy);
        assertThat(planned.newWorkers()).containsExactly(0, 1, 2);
        assertThat(byWorker(planned).values()).containsOnly(2);
    }

    /** The first round is discarded; the second places the minimum, and the third sees that with the rest. */
    @Test
    void theRoundsOfADecisionCountTogether() throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        bench.add(PolicyKind.MATCHING, "slow", 1_000, Bench.placing("slow", (workers, admitted, plan) -> {
            SpreadView first = admitted.spread(0).orElseThrow();
            boolean gang = admitted.gang(0) >= 0;
            seen.add((gang ? "minimum, " : "rest, ") + first.slots(0) + " and " + first.slots(1));
            if (admitted.size() == 2) {
                seen.add(first == admitted.spread(1).orElseThrow() ? "one group" : "two groups");
                plan.place(1, 1, 1);
            } else {
                plan.place(0, gang ? 0 : 1, 1);
            }
        }));
        bench.awaitState("slow", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("b"))
                        .unit(0, "a", spread(1, 2, 1, Map.of()))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("slow");
        assertThat(seen).containsExactly("minimum, 0 and 0", "one group", "minimum, 0 and 0", "rest, 1 and 0");
        assertThat(byWorker(planned)).containsExactly(Map.entry(0, 1), Map.entry(1, 1));
    }

    @Test
    void aPlanThatIsUnevenIsRejected() throws Exception {
        bench.add(
                PolicyKind.MATCHING,
                "careless",
                1_000,
                Bench.placing("careless", (workers, admitted, plan) -> plan.place(0, 0, 3)));
        bench.awaitState("careless", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("b"))
                        .unit(0, "a", spread(3, 3, 2, Map.of()))
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(byWorker(planned).values()).containsExactlyInAnyOrder(2, 1);
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("places slots of group default of job a so that 3 are where label zone is a and 0"
                                + " where it is b: at most 2 more is allowed"));
    }

    @Test
    void slotsThatTheGroupHasCountWhereTheirWorkersAreNow() throws Exception {
        PlacementPlanner planner = bench.planner();
        PlanOutcome.Planned first = Bench.planned(
                planner,
                bench.input()
                        .worker(0, Bench.SIZE, zone("a"))
                        .worker(1, Bench.SIZE, zone("b"))
                        .unit(0, "a", spread(1, 3, 1, Map.of(0, 2)))
                        .build());
        assertThat(byWorker(first)).containsExactly(Map.entry(1, 1));
        PlanOutcome.Planned second = Bench.planned(
                planner, bench.input().worker(0, Bench.SIZE, zone("b")).build());
        assertThat(byWorker(second)).as("all are in zone b now, the only one").hasSize(1);
        assertThat(second.matching().name()).isEqualTo("first-fit");
    }
}
