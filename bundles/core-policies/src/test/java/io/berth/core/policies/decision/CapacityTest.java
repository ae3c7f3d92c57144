package io.berth.core.policies.decision;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.policies.Bench;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a distribution policy sees of the pool: capacity, free room, what could be started, and the use of each unit. */
class CapacityTest {

    private static final int CPU = 0;
    private static final int HEAP = 1;

    private final Bench bench = new Bench();
    private final List<String> seen = new ArrayList<>();

    @BeforeEach
    void begin() {
        bench.firstFit();
    }

    @AfterEach
    void end() {
        bench.close();
    }

    private PlanOutcome.Planned planned(Bench.Admitting admitting, PlanningInput input) throws Exception {
        bench.add(PolicyKind.DISTRIBUTION, "mine", 1_000, Bench.admitting("mine", admitting));
        bench.awaitState("mine", "deciding");
        PlanOutcome.Planned planned = Bench.planned(bench.planner(), input);
        assertThat(planned.distribution().name()).isEqualTo("mine");
        return planned;
    }

    private void look(DemandsView demands) {
        StringBuilder text = new StringBuilder(demands.capacity(CPU) + " " + demands.free(CPU) + " "
                + demands.startable(CPU) + "/" + demands.capacity(HEAP));
        for (int unit = 0; unit < demands.limit(); unit++) {
            text.append(demands.candidate(unit) ? ", " : ", no candidate, ")
                    .append(demands.job(unit).value())
                    .append(' ')
                    .append(demands.used(unit, CPU));
        }
        seen.add(text.toString());
    }

    /** Everything that is missing, in the order of the indexes. */
    private void admitAll(DemandsView demands, AdmissionBuilder result) {
        look(demands);
        for (int unit = 0; unit < demands.limit(); unit++) {
            if (demands.candidate(unit)) {
                result.admitMinimum(unit);
                int missing = demands.desired(unit, 0) - Math.max(demands.minimum(unit, 0), demands.allocated(unit, 0));
                if (missing > 0) {
                    result.admit(unit, 0, missing);
                }
            }
        }
    }

    @Test
    void aRoundShowsWhatTheOnesBeforeItPlacedAndWhoFoundNoRoom() throws Exception {
        planned(
                this::admitAll,
                bench.input()
                        .worker(0, ResourceProfile.of(3_000, 3_000))
                        .worker(1, Bench.SIZE)
                        .unit(0, "wide", 100, 100, 0)
                        .unit(1, "small", 0, 3, 1)
                        .build());
        assertThat(seen)
                .containsExactly(
                        "8000 7000 0/8000, wide 0, small 1000", "8000 5000 0/8000, no candidate, wide 0, small 3000");
    }

    @Test
    void whatWouldBeStartedMovesFromStartableToCapacity() throws Exception {
        planned(
                this::admitAll,
                bench.input()
                        .worker(0, ResourceProfile.of(0, 0))
                        .spec(3)
                        .unit(0, "wide", 100, 100, 0)
                        .unit(1, "small", 0, 3, 0)
                        .build());
        assertThat(seen)
                .containsExactly(
                        "4000 0 12000/4000, wide 0, small 0", "8000 1000 8000/8000, no candidate, wide 0, small 3000");
    }

    @Test
    void aWorkerThatLeavesIsNoCapacity() throws Exception {
        PlanningInput input = bench.input()
                .worker(0, Bench.SIZE)
                .worker(1, ResourceProfile.ZERO)
                .unit(0, "a", 1, 1, 0)
                .build();
        List<WorkerChange> workers = input.workers().stream()
                .map(change -> change.index() == 0
                        ? change
                        : new WorkerChange(1, change.worker().map(worker -> worker.leavingAt(77))))
                .toList();
        planned(
                this::admitAll,
                new PlanningInput(input.stateNumber(), workers, input.units(), input.specs(), input.slots()));
        assertThat(seen.get(0)).isEqualTo("4000 4000 0/4000, a 0");
    }

    @Test
    void theNextDecisionShowsNothingOfTheOneBefore() throws Exception {
        bench.add(PolicyKind.DISTRIBUTION, "mine", 1_000, Bench.admitting("mine", this::admitAll));
        bench.awaitState("mine", "deciding");
        var planner = bench.planner();
        Bench.planned(
                planner,
                bench.input()
                        .worker(0, Bench.SIZE)
                        .spec(1)
                        .unit(0, "a", 9, 9, 0)
                        .unit(1, "b", 0, 5, 0)
                        .build());
        seen.clear();
        Bench.planned(
                planner,
                bench.input()
                        .worker(0, ResourceProfile.of(1_000, 1_000))
                        .spec(1)
                        .build());
        assertThat(seen.get(0)).isEqualTo("4000 1000 4000/4000, a 0, b 0");
    }

    @Test
    void theUnknownProfileIsTheMeanOfDefaultSlots() throws Exception {
        List<Long> amounts = new ArrayList<>();
        planned(
                (demands, result) -> {
                    amounts.add(demands.amount(0, 0, CPU));
                    amounts.add(demands.used(0, CPU));
                    amounts.add((long) demands.dimensions());
                    result.admitMinimum(0);
                },
                bench.input()
                        .worker(0, Bench.SIZE)
                        .worker(1, Bench.SIZE, Bench.SIZE, ResourceProfile.of(2_001, 1), WorkerLabels.NONE)
                        .unit(0, "a", new GroupDemand("default", ResourceProfile.UNKNOWN, 4, 4, 3))
                        .build());
        assertThat(amounts.subList(0, 3)).containsExactly(1_501L, 4_503L, 4L);
    }

    @Test
    void aUnitThatFoundNoRoomMustNotBeAdmittedAgain() throws Exception {
        bench.fifo();
        bench.add(PolicyKind.DISTRIBUTION, "mine", 1_000, Bench.admitting("mine", (demands, result) -> {
            for (int unit = 0; unit < demands.limit(); unit++) {
                result.admitMinimum(unit);
            }
        }));
        bench.awaitState("mine", "deciding");
        PlanOutcome.Planned planned = Bench.planned(
                bench.planner(),
                bench.input().worker(0, Bench.SIZE).unit(0, "wide", 100, 100, 0).build());
        assertThat(planned.distribution().name()).isEqualTo("fifo");
        assertThat(bench.platform.decision(planned.decision()).orElseThrow().reasons())
                .anySatisfy(reason -> assertThat(reason)
                        .contains("distribution mine")
                        .contains("admits unit all of job wide, whose minimum found no room in this decision"));
    }

    @Test
    void theSumsAreThoseOfTheWorkersWhateverHappenedToThem() throws Exception {
        List<String> sums = new ArrayList<>();
        bench.add(PolicyKind.DISTRIBUTION, "mine", 1_000, Bench.admitting("mine", (demands, result) -> {
            StringBuilder text = new StringBuilder();
            for (int dimension = 0; dimension < demands.dimensions(); dimension++) {
                text.append(demands.dimension(dimension))
                        .append(' ')
                        .append(demands.capacity(dimension))
                        .append(' ')
                        .append(demands.free(dimension))
                        .append(' ');
            }
            sums.add(text.toString());
        }));
        bench.awaitState("mine", "deciding");
        Random random = new Random(1);
        SortedMap<Integer, ResourceProfile[]> workers = new TreeMap<>();
        var planner = bench.planner();
        for (int step = 0; step < 200; step++) {
            Bench.Input input = bench.input().unit(0, "a", 0, 1 + step, 0);
            for (int change = random.nextInt(4); change > 0; change--) {
                int worker = random.nextInt(20);
                if (random.nextInt(3) == 0) {
                    input.noWorker(worker);
                    workers.remove(worker);
                } else {
                    ResourceProfile total = profile(random, 100 + step / 50);
                    ResourceProfile free = profile(random, 1);
                    input.worker(worker, total, free, WorkerLabels.NONE);
                    workers.put(worker, new ResourceProfile[] {total, free});
                }
            }
            Bench.planned(planner, input.build());
            String text = sums.get(sums.size() - 1);
            for (String part : List.of("cpu", "heap", "gpu-100", "gpu-101", "gpu-102", "gpu-103")) {
                long total = workers.values().stream()
                        .mapToLong(row -> amount(row[0], part))
                        .sum();
                long free = workers.values().stream()
                        .mapToLong(row -> amount(row[1], part))
                        .sum();
                if (total + free > 0) {
                    assertThat(text).as("step %d", step).contains(part + " " + total + " " + free + " ");
                }
            }
        }
    }

    private static ResourceProfile profile(Random random, int gpu) {
        return new ResourceProfile(
                random.nextInt(10_000),
                random.nextInt(10_000),
                0,
                0,
                new TreeMap<>(Map.of("gpu-" + gpu, 1L + random.nextInt(8))));
    }

    private static long amount(ResourceProfile profile, String name) {
        return switch (name) {
            case "cpu" -> profile.cpuMillis();
            case "heap" -> profile.heapBytes();
            default -> profile.extended().getOrDefault(name, 0L);
        };
    }

    /** The example of the paper on dominant resource fairness (Ghodsi et al., NSDI 2011): 9 cores and 18 GB. */
    @Test
    void aPolicyCanShareByDominantResource() throws Exception {
        ResourceProfile all = ResourceProfile.of(9_000, 18_000);
        PlanOutcome.Planned planned = planned(
                CapacityTest::byDominantShare,
                bench.input()
                        .worker(0, all, all, WorkerLabels.NONE)
                        .unit(0, "memory", new GroupDemand("default", ResourceProfile.of(1_000, 4_000), 0, 100, 0))
                        .unit(1, "cpu", new GroupDemand("default", ResourceProfile.of(3_000, 1_000), 0, 100, 0))
                        .build());
        TreeMap<Integer, Integer> placed = new TreeMap<>();
        for (int run = 0; run < planned.runs().size(); run++) {
            placed.merge(planned.runs().unit(run), planned.runs().count(run), Integer::sum);
        }
        assertThat(placed).containsOnly(Map.entry(0, 3), Map.entry(1, 2));
    }

    private static void byDominantShare(DemandsView demands, AdmissionBuilder result) {
        long[] left = {demands.free(CPU) + demands.startable(CPU), demands.free(HEAP) + demands.startable(HEAP)};
        long[][] used = new long[demands.limit()][2];
        int[] admitted = new int[demands.limit()];
        while (true) {
            int next = -1;
            double least = Double.MAX_VALUE;
            for (int unit = 0; unit < used.length; unit++) {
                boolean fits = demands.candidate(unit)
                        && demands.allocated(unit, 0) + admitted[unit] < demands.desired(unit, 0);
                double share = 0;
                for (int dimension = CPU; dimension <= HEAP; dimension++) {
                    fits &= demands.amount(unit, 0, dimension) <= left[dimension];
                    long all = demands.capacity(dimension) + demands.startable(dimension);
                    if (all > 0) {
                        share = Math.max(share, (double) (demands.used(unit, dimension) + used[unit][dimension]) / all);
                    }
                }
                if (fits && share < least) {
                    least = share;
                    next = unit;
                }
            }
            if (next < 0) {
                return;
            }
            for (int dimension = CPU; dimension <= HEAP; dimension++) {
                used[next][dimension] += demands.amount(next, 0, dimension);
                left[dimension] -= demands.amount(next, 0, dimension);
            }
            admitted[next]++;
            result.admit(next, 0, 1);
        }
    }
}
