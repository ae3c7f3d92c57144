package io.berth.matching.rebalance;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.GivenBack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RebalanceTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final int SLOTS = 4;
    private static final long MINUTE = 60_000;

    private final ArrayWorkersView workers = new ArrayWorkersView();
    private final ArrayAdmittedView admitted = new ArrayAdmittedView(workers);

    @Override
    public MatchingStrategyFactory factory() {
        return new RebalanceFactory();
    }

    private PlacementSession open(String... entries) {
        Map<String, String> configuration = new TreeMap<>();
        for (int entry = 0; entry < entries.length; entry += 2) {
            configuration.put(entries[entry], entries[entry + 1]);
        }
        try {
            return factory()
                    .create(FixedConfiguration.of(factory().describe(), configuration), FixedContext.of("pool default"))
                    .openPlacement(workers);
        } catch (InvalidConfigurationException refused) {
            throw new AssertionError(refused);
        }
    }

    /** A worker with slots of one job. */
    private void worker(String job, int count) {
        int worker = workers.limit();
        workers.worker(SLOT.times(SLOTS));
        workers.take(worker, 0, count * SLOT.cpuMillis()).take(worker, 1, count * SLOT.heapBytes());
        admitted.allocations().add(job, "default", SLOT, worker, count, 0);
    }

    private RecordedPlacement at(PlacementSession session, long now) {
        workers.now(now);
        RecordedPlacement plan = new RecordedPlacement(workers);
        session.place(admitted, plan);
        return plan;
    }

    private static List<Integer> moved(RecordedPlacement plan) {
        return plan.givenBack().stream().map(GivenBack::allocation).toList();
    }

    @Test
    void emptiesTheLeastUsedWorkerAndSaysWhy() {
        worker("a", 3);
        worker("b", 1);
        worker("c", 2);
        RecordedPlacement plan = at(open(), 0);
        assertThat(moved(plan)).containsExactly(3);
        assertThat(plan.givenBack().get(0).reason())
                .isEqualTo("its worker " + workers.name(1) + " can be released: this slot fits on fuller workers");
        assertThat(plan.reviewMillis()).hasValue(MINUTE);
    }

    @Test
    void movesAllSlotsOfAWorkerOrNone() {
        worker("a", 3);
        worker("b", 2);
        worker("c", 3);
        assertThat(moved(at(open(), 0))).containsExactly(3, 4);
        admitted.allocations().minimum("b", "default", 1);
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    @Test
    void keepsMinimumsAndJobsThatMayNotBeAsked() {
        worker("a", 3);
        worker("b", 1);
        admitted.allocations().minimum("b", "default", 1);
        assertThat(moved(at(open(), 0))).isEmpty();
        admitted.allocations().minimum("b", "default", 0).paused("b");
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    @Test
    void leavesAWorkerAloneOnWhichMoreIsUsedThanIsShown() {
        worker("a", 3);
        worker("b", 1);
        workers.take(1, 1, 1);
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    @Test
    void movesNothingToAWorkerThatLeaves() {
        worker("a", 3);
        worker("b", 1);
        workers.leavingAt(0, 5_000);
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    @Test
    void movesNothingWhileAnEntryWaits() {
        worker("a", 3);
        worker("b", 1);
        admitted.add("waits", SLOT.times(9), 1);
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    /** The job takes a whole worker: it stands still for a minute, and the worker counts for as long as the payback. */
    @Test
    void movesNothingThatCostsMoreThanItSaves() {
        worker("a", 3);
        worker("b", 1);
        worker("b", 4);
        assertThat(moved(at(open("move.cost", "1 min", "payback", "70 s"), 0))).isEmpty();
        assertThat(moved(at(open("move.cost", "1 min", "payback", "80 s"), 0))).containsExactly(3);
    }

    /** A quarter of a worker stands still for twice as long, and a worker counts for ten minutes. */
    @Test
    void leavesAJobAloneWhoseLastRescaleCostMoreThanItsMoveSaves() {
        worker("a", 3);
        worker("expensive", 1);
        worker("cheap", 1);
        admitted.allocations().lastRescaleMillis("expensive", 20 * MINUTE).lastRescaleMillis("cheap", 20 * MINUTE - 1);
        assertThat(moved(at(open(), 0))).containsExactly(4);
    }

    @Test
    void theParameterCountsForAJobWhoseLastRescaleIsNotKnown() {
        worker("a", 3);
        worker("b", 1);
        assertThat(moved(at(open("move.cost", "1 h"), 0))).isEmpty();
        admitted.allocations().lastRescaleMillis("b", 1_000);
        assertThat(moved(at(open("move.cost", "1 h"), 0))).containsExactly(3);
    }

    @Test
    void theRescalesOfAllJobsOfAWorkerAddUp() {
        worker("b", 1);
        take(0, 1);
        admitted.allocations().add("c", "default", SLOT, 0, 1, 0);
        worker("a", 2);
        admitted.allocations().lastRescaleMillis("b", 10 * MINUTE).lastRescaleMillis("c", 10 * MINUTE - 1);
        assertThat(moved(at(open(), 0))).containsExactly(0, 1);
        admitted.allocations().lastRescaleMillis("c", 10 * MINUTE);
        assertThat(moved(at(open(), 0))).isEmpty();
    }

    @Test
    void asksForAFewSlotsAtATime() {
        IntStream.range(0, 6).forEach(job -> worker("job-" + job, 1));
        assertThat(moved(at(open("moves", "2"), 0))).hasSize(2);
        assertThat(moved(at(open("moves", "64"), 0))).hasSize(4);
    }

    @Test
    void asksNobodyBeforeTheIntervalIsOverAndNoJobBeforeItsPause() {
        worker("a", 3);
        worker("b", 1);
        worker("c", 1);
        PlacementSession session = open("moves", "1", "interval", "1 min", "pause", "10 min");
        assertThat(moved(at(session, 0))).containsExactly(3);
        assertThat(moved(at(session, MINUTE - 1))).isEmpty();
        assertThat(at(session, MINUTE - 1).reviewMillis()).hasValue(1);
        assertThat(moved(at(session, MINUTE))).as("another job").containsExactly(4);
        assertThat(moved(at(session, 2 * MINUTE))).isEmpty();
    }

    @Test
    void leavesAJobAloneThatKeepsItsSlot() {
        worker("a", 3);
        worker("b", 1);
        PlacementSession session = open("pause", "2 min", "pause.refused", "1 h");
        assertThat(moved(at(session, 0))).containsExactly(3);
        for (long now = MINUTE; now < 61 * MINUTE; now += MINUTE) {
            assertThat(moved(at(session, now))).as("minute %s", now / MINUTE).isEmpty();
        }
        assertThat(moved(at(session, 61 * MINUTE))).containsExactly(3);
    }

    @Test
    void evensOutTheMostUsedWorker() {
        worker("a", 4);
        worker("b", 0);
        worker("c", 2);
        RecordedPlacement plan = at(open("goal", "even"), 0);
        assertThat(moved(plan)).containsExactly(0, 1);
        assertThat(plan.givenBack().get(0).reason())
                .isEqualTo(
                        "its worker " + workers.name(0) + " is used to 100 %, worker " + workers.name(1) + " to 0 %");
        assertThat(moved(at(open("goal", "even", "gap", "0.6"), 0))).containsExactly(0);
        assertThat(moved(at(open("goal", "even", "gap", "1"), 0))).isEmpty();
    }

    @Test
    void theJobThatLosesLeastEvensOutTheMostUsedWorker() {
        worker("small", 1);
        take(0, 2);
        admitted.allocations().add("large", "default", SLOT, 0, 2, 0);
        worker("other", 0);
        assertThat(moved(at(open("goal", "even"), 0))).containsExactly(0);
        admitted.allocations().lastRescaleMillis("small", 12_000);
        assertThat(moved(at(open("goal", "even"), 0)))
                .as("24 s of one slot, 10 s of two")
                .containsExactly(1);
        admitted.allocations().lastRescaleMillis("large", 5 * MINUTE).lastRescaleMillis("small", 5 * MINUTE);
        assertThat(moved(at(open("goal", "even"), 0))).isEmpty();
    }

    /** Jobs return what they are asked for and want it again: in the end, the slots are on as few workers as they need. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8})
    void endsWithTheFewestWorkers(int seed) {
        int count = 10;
        Random random = new Random(seed);
        IntStream.range(0, count).forEach(worker -> workers.worker(SLOT.times(SLOTS)));
        List<Integer> places = new ArrayList<>();
        for (int job = 0; job < 17; job++) {
            int worker = random.nextInt(count);
            while (workers.free(worker, 0) == 0) {
                worker = random.nextInt(count);
            }
            take(worker, 1);
            places.add(worker);
        }
        PlacementSession session = open("pause", "1 s");
        for (int round = 0; round < 20; round++) {
            workers.now(round * MINUTE);
            ArrayAdmittedView resting = new ArrayAdmittedView(workers);
            for (int job = 0; job < places.size(); job++) {
                resting.allocations().add("job-" + job, "default", SLOT, places.get(job), 1, round * MINUTE);
            }
            RecordedPlacement asked = new RecordedPlacement(workers);
            session.place(resting, asked);
            for (int job : moved(asked)) {
                take(places.get(job), -1);
                session.delta(new int[] {places.get(job)});
                RecordedPlacement placed = new RecordedPlacement(workers);
                session.place(new ArrayAdmittedView(workers).add("job-" + job, SLOT, 1), placed);
                places.set(job, placed.runs().get(0).worker());
                take(places.get(job), 1);
                session.delta(new int[] {places.get(job)});
            }
        }
        assertThat(places.stream().distinct().count()).isEqualTo(5);
    }

    private void take(int worker, int slots) {
        workers.take(worker, 0, slots * SLOT.cpuMillis()).take(worker, 1, slots * SLOT.heapBytes());
    }
}
