package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.api.policy.PlanningInput.UnitDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.api.policy.PlanningInput.WorkerColumn;
import io.berth.core.policies.Bench;
import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.PolicyPlatform;
import io.berth.core.policies.Stage;
import io.berth.core.policies.registry.HostSettings;
import io.berth.distribution.fifo.FifoFactory;
import io.berth.policy.support.ByIndex;
import io.berth.policy.support.SlotPlacement;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A strategy keeps room for a gang that cannot start yet; the host takes the room from later jobs. */
class ReservationTest {

    private static final int WORKERS = 5;
    private static final int SLOTS = 10;
    private static final int GANG = 40;
    private static final int MAX_DECISIONS = 1_000;

    private final Stage stage = new Stage();
    private final PolicyPlatform platform = stage.platform(HostSettings.defaults());
    private final Bench bench = new Bench();

    @AfterEach
    void end() {
        bench.close();
    }

    /** A cluster on which small jobs come and go, one decision each step. Decides like a ResourceManager that commits. */
    private final class Stream {

        private final Random random = new Random(20261123);
        private final int[] free = new int[WORKERS];
        private final SortedMap<Integer, Integer> minimumOf = new TreeMap<>();
        private final SortedMap<Integer, Integer> waiting = new TreeMap<>();
        /** By step, the units that end then; and where the slots of a unit are. */
        private final SortedMap<Integer, List<Integer>> ends = new TreeMap<>();

        private final SortedMap<Integer, List<Integer>> placedOn = new TreeMap<>();
        private final PlacementPlanner planner;
        private int units;
        private long states;

        Stream(int gangsThatReserve) {
            add(1, PolicyKind.DISTRIBUTION, "fifo", new FifoFactory());
            add(
                    2,
                    PolicyKind.MATCHING,
                    "reserving",
                    Bench.opening("reserving", workers -> new SlotPlacement(workers, new ByIndex(), gangsThatReserve)));
            planner = platform.openPlanner("default", MatchingRule.EXACT, () -> {});
            stage.runAll();
            Arrays.fill(free, SLOTS);
        }

        private void add(long id, PolicyKind kind, String name, Object factory) {
            platform.registry().add(new FakeRegistration(id, kind, name, 0, () -> factory));
            stage.runAll();
        }

        private int submit(int slots, List<UnitChange> changes) {
            int unit = units++;
            minimumOf.put(unit, slots);
            waiting.put(unit, slots);
            changes.add(change(unit, 0));
            return unit;
        }

        private UnitChange change(int unit, int allocated) {
            int slots = minimumOf.get(unit);
            return new UnitChange(
                    unit,
                    Optional.of(new UnitDemand(
                            new JobId("job-" + unit),
                            "all",
                            unit,
                            SchedulingAttributes.DEFAULT,
                            List.of(new GroupDemand("default", Bench.SLOT, slots, slots, allocated)))));
        }

        private WorkerChange worker(int index) {
            ResourceProfile total = Bench.SLOT.times(SLOTS);
            ResourceProfile left = free[index] == 0 ? ResourceProfile.ZERO : Bench.SLOT.times(free[index]);
            return new WorkerChange(
                    index,
                    Optional.of(new WorkerColumn(
                            new WorkerId("w" + index),
                            false,
                            total,
                            left,
                            Bench.SLOT,
                            Origin.of("test"),
                            WorkerLabels.NONE)));
        }

        /** The decision in which the gang starts, counted from its submission; empty when it does not. */
        OptionalInt startOfTheGang() {
            int gang = -1;
            for (int step = 0; step < MAX_DECISIONS + 50; step++) {
                List<UnitChange> changes = new ArrayList<>();
                for (int unit : ends.getOrDefault(step, List.of())) {
                    placedOn.remove(unit).forEach(worker -> free[worker]++);
                    changes.add(new UnitChange(unit, Optional.empty()));
                }
                if (step == 50) {
                    gang = submit(GANG, changes);
                }
                while (waiting.size() < 5) {
                    submit(1, changes);
                }
                List<WorkerChange> workers = new ArrayList<>();
                for (int index = 0; index < WORKERS; index++) {
                    workers.add(worker(index));
                }
                var outcome = planner.plan(new PlanningInput(++states, workers, changes, List.of()))
                        .toCompletableFuture();
                stage.runAll();
                PlanOutcome.Planned planned = (PlanOutcome.Planned) outcome.join();
                assertThat(planned.matching().name()).isEqualTo("reserving");
                commit(planned, step);
                if (gang >= 0 && !waiting.containsKey(gang)) {
                    return OptionalInt.of(step - 50);
                }
            }
            return OptionalInt.empty();
        }

        private void commit(PlanOutcome.Planned planned, int step) {
            List<UnitChange> changes = new ArrayList<>();
            for (Placement placement : planned.placements()) {
                for (int slot = 0; slot < placement.count(); slot++) {
                    free[placement.worker()]--;
                    assertThat(free[placement.worker()]).isNotNegative();
                    placedOn.computeIfAbsent(placement.unit(), unit -> new ArrayList<>())
                            .add(placement.worker());
                }
                if (waiting.remove(placement.unit()) != null) {
                    ends.computeIfAbsent(step + 5 + random.nextInt(20), at -> new ArrayList<>())
                            .add(placement.unit());
                    changes.add(change(placement.unit(), minimumOf.get(placement.unit())));
                }
            }
            var outcome = planner.plan(new PlanningInput(++states, List.of(), changes, List.of()))
                    .toCompletableFuture();
            stage.runAll();
            outcome.join();
        }
    }

    @Test
    void aGangDoesNotStartAmongSmallJobsWithoutAReservation() {
        assertThat(new Stream(0).startOfTheGang()).isEmpty();
    }

    @Test
    void aGangStartsAmongSmallJobsWithAReservation() {
        OptionalInt started = new Stream(1).startOfTheGang();
        assertThat(started).isPresent();
        // No small job that ran when it came runs longer than 25 steps.
        assertThat(started.getAsInt()).isLessThanOrEqualTo(25);
    }

    private PlanOutcome.Planned planned(Bench.Placing placing) throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "keeper", 1_000, Bench.placing("keeper", placing));
        bench.awaitState("keeper", "deciding");
        return Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SIZE)
                        .unit(0, "large", 9, 9, 0)
                        .unit(1, "small", 4, 8, 0)
                        .build());
    }

    private String reasons(PlanOutcome.Planned planned) {
        return String.join(
                "\n", bench.platform.decision(planned.decision()).orElseThrow().reasons());
    }

    @Test
    void reservedRoomIsRecordedAndExplained() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            for (int entry = 0; entry < admitted.size(); entry++) {
                if (admitted.job(entry).value().equals("large")) {
                    plan.reserve(entry, 0, 4);
                    plan.unplaced(entry, "waits for more");
                } else if (admitted.gang(entry) >= 0) {
                    plan.place(entry, 1, 4);
                } else {
                    plan.unplaced(entry, "no room");
                }
            }
        });
        assertThat(planned.matching().name()).isEqualTo("keeper");
        assertThat(planned.placements()).containsExactly(new Placement(1, 0, 1, 4, true));
        assertThat(reasons(planned))
                .contains("keeper: waits for more; room for 4 of them is reserved")
                .contains("keeper: no room; reserves room for 4 slots of job large");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().results())
                .anySatisfy(line -> assertThat(line)
                        .contains("w0: room for 4 x ")
                        .contains(" is reserved for group default of job large"));
    }

    @Test
    void reservedRoomCannotBeTaken() throws Exception {
        PlanOutcome.Planned planned = planned((workers, admitted, plan) -> {
            plan.reserve(0, 0, 4);
            plan.place(1, 0, 4);
        });
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("reserves room for 4 slots of group default of job large");
    }

    @Test
    void aGangThatCouldStartDoesNotOnlyReserve() throws Exception {
        bench.withDefaults();
        bench.add(
                PolicyKind.MATCHING,
                "keeper",
                1_000,
                Bench.placing("keeper", (workers, admitted, plan) -> plan.reserve(0, 0, 4)));
        bench.awaitState("keeper", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input().worker(0, Bench.SIZE).unit(0, "a", 4, 4, 0).build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("leaves out a minimum that there is room for");
    }

    @Test
    void roomIsNotReservedInFrontOfAnEarlierJob() throws Exception {
        bench.withDefaults();
        bench.add(PolicyKind.MATCHING, "keeper", 1_000, Bench.placing("keeper", (workers, admitted, plan) -> {
            plan.unplaced(0, "later");
            plan.reserve(1, 0, 4);
        }));
        bench.awaitState("keeper", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input()
                        .worker(0, Bench.SIZE)
                        .unit(0, "small", 2, 2, 0)
                        .unit(1, "large", 9, 9, 0)
                        .build());
        assertThat(planned.matching().name()).isEqualTo("first-fit");
        assertThat(reasons(planned)).contains("gives room to later jobs that job small could have used");
    }
}
