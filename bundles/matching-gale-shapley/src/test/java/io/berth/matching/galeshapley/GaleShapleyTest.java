package io.berth.matching.galeshapley;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.matching.galeshapley.GaleShapleyFactory.Weights;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.WorkersView;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class GaleShapleyTest implements MatchingStrategyContract {

    private static final Weights DEFAULTS = new Weights(4, 1, 1, 1, 1, 4);
    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    @Override
    public MatchingStrategyFactory factory() {
        return new GaleShapleyFactory();
    }

    @Test
    void aSlotGoesWhereItsStateIs() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan =
                place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 2).ranOn(1));
        assertThat(plan.runs()).containsExactly(new Run(0, 1, 2));
    }

    @Test
    void aNewWorkerIsOfTheSpecThatTheGroupPrefers() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .spec(SIZE, 2)
                .spec(
                        WorkerSpec.of("disks", SIZE)
                                .defaultSlots(4)
                                .label("disk", "ssd")
                                .costPerHour(9)
                                .build(),
                        1);
        RecordedPlacement plan =
                place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 6).preferring("disk", "ssd", 1));
        assertThat(plan.opened()).containsExactly(1, 0);
    }

    @Test
    void aWorkerKeepsTheSlotThatItPrefers() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SLOT).worker(SLOT);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", SLOT, 1)
                        .ranOn(0)
                        .add("b", SLOT, 1)
                        .withPriority(1)
                        .ranOn(0)
                        .sameRank());
        assertThat(plan.runs()).containsExactlyInAnyOrder(new Run(1, 0, 1), new Run(0, 1, 1));
    }

    @Test
    void aSmallerRankComesFirstWhateverWorkersPrefer() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SLOT);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", SLOT, 1)
                        .add("b", SLOT, 1)
                        .withPriority(100)
                        .ranOn(0));
        assertThat(plan.runs()).containsExactly(new Run(0, 0, 1));
    }

    @Test
    void leavesOutAGangThatFindsNoRoomAndPlacesTheOthersOfItsRank() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", SLOT, 3)
                        .add("b", SLOT, 2, 1)
                        .sameRank());
        assertThat(plan.placed(0)).isEqualTo(3);
        assertThat(plan.placed(1)).isZero();
        assertThat(plan.reasons()).containsOnlyKeys(1);
    }

    /** Of 1 and 2 among 10, the cheaper one is preferred by 1/9; without the dearest one, by 1. */
    @Test
    void howMuchCostsCountDependsOnTheWorkersThatAreThere() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(SLOT.times(10))
                .worker(SLOT.times(10))
                .worker(SLOT.times(10))
                .costPerHour(0, 10)
                .costPerHour(1, 1)
                .costPerHour(2, 2)
                .take(2, 0, 5_000);
        GaleShapleySession session = new GaleShapleySession(workers, DEFAULTS, 1_000_000);
        assertThat(placed(session, workers)).containsExactly(new Run(0, 2, 1));
        workers.remove(0);
        session.delta(new int[] {0});
        assertThat(placed(session, workers)).containsExactly(new Run(0, 1, 1));
    }

    private static List<Run> placed(GaleShapleySession session, ArrayWorkersView workers) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        session.place(new ArrayAdmittedView(workers).add("a", SLOT, 1), plan);
        return plan.runs();
    }

    @Test
    void aCallReadsWhatChangedHoweverManyWorkersThereAre() {
        assertThat(readsOfOneChange(20_000)).isEqualTo(readsOfOneChange(2_000));
    }

    /** Of full workers, of which one gets room. */
    private static long readsOfOneChange(int count) {
        ArrayWorkersView workers = new ArrayWorkersView();
        for (int worker = 0; worker < count; worker++) {
            workers.worker(SLOT).take(worker, 0, 1_000);
        }
        AtomicLong reads = new AtomicLong();
        WorkersView readWorkers = counted(WorkersView.class, workers, reads);
        GaleShapleySession session = new GaleShapleySession(readWorkers, DEFAULTS, 1_000_000);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", SLOT, 1);
        AdmittedView readAdmitted = counted(AdmittedView.class, admitted, reads);
        RecordedPlacement full = new RecordedPlacement(workers);
        session.place(readAdmitted, full);
        assertThat(full.reasons().get(0)).contains("1000 of the first 1000 of " + count + " workers have too little");
        workers.put(count / 2, SLOT, false);
        reads.set(0);
        session.delta(new int[] {count / 2});
        RecordedPlacement plan = new RecordedPlacement(workers);
        session.place(readAdmitted, plan);
        assertThat(plan.runs()).containsExactly(new Run(0, count / 2, 1));
        return reads.get();
    }

    private static <T> T counted(Class<T> type, T of, AtomicLong reads) {
        return type.cast(Proxy.newProxyInstance(
                GaleShapleyTest.class.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    reads.incrementAndGet();
                    return method.invoke(of, arguments);
                }));
    }

    @Test
    void aReasonCountsWorkersThatConstraintsExcludeAndThoseThatAreFull() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(SIZE)
                .worker(SLOT)
                .label(1, "disk", "ssd")
                .take(1, 0, 1_000);
        RecordedPlacement plan =
                place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 1).requiring("disk", "ssd"));
        assertThat(plan.reasons().get(0))
                .isEqualTo("1 slots find no worker: 1 of 2 workers are excluded by constraints, 1 of 2 workers have too"
                        + " little cpu");
    }

    /** Seeded instances, all of one rank; each has several sizes of slots, labels, state and priorities. */
    @Test
    void noSlotAndWorkerPreferEachOtherToWhatTheyHave() {
        int full = 0;
        for (int seed = 0; seed < 10_000; seed++) {
            Instance instance = new Instance(new Random(seed));
            RecordedPlacement plan = place(instance.workers, instance.admitted);
            assertThat(instance.blockingPairs(plan))
                    .as("blocking pairs of seed %s", seed)
                    .isZero();
            full += plan.reasons().isEmpty() ? 0 : 1;
        }
        // Where everything fits everywhere, nothing could block.
        assertThat(full).isGreaterThan(2_000);
    }

    /** An instance, and what its sides prefer by the words of the page of the strategy. */
    private static final class Instance {

        private final ArrayWorkersView workers = new ArrayWorkersView();
        private final ArrayAdmittedView admitted;
        private final int[] cpu;
        private final int[] count;
        private final int[] priority;
        private final boolean[][] ranOn;
        private final int[][] preference;
        private final double[] used;
        private final long[] free;

        private Instance(Random random) {
            int size = 1 + random.nextInt(5);
            used = new double[size];
            free = new long[size];
            boolean[] blue = new boolean[size];
            for (int worker = 0; worker < size; worker++) {
                long total = 1_000L * (1 + random.nextInt(8));
                long taken = random.nextBoolean() ? 0 : 500L * random.nextInt((int) (total / 500) + 1);
                blue[worker] = random.nextBoolean();
                workers.worker(ResourceProfile.of((int) total, 100_000));
                workers.take(worker, 0, taken).label(worker, "color", blue[worker] ? "blue" : "red");
                used[worker] = (double) taken / total;
                free[worker] = total - taken;
            }
            admitted = new ArrayAdmittedView(workers);
            int entries = 1 + random.nextInt(6);
            cpu = new int[entries];
            count = new int[entries];
            priority = new int[entries];
            ranOn = new boolean[entries][size];
            preference = new int[entries][size];
            for (int entry = 0; entry < entries; entry++) {
                cpu[entry] = 500 * (1 + random.nextInt(3));
                count[entry] = 1 + random.nextInt(5);
                priority[entry] = random.nextInt(3);
                admitted.add("job-" + entry, ResourceProfile.of(cpu[entry], 0), count[entry])
                        .withPriority(priority[entry]);
                if (random.nextInt(3) == 0) {
                    int weight = 1 + random.nextInt(3);
                    admitted.preferring("color", "blue", weight);
                    for (int worker = 0; worker < size; worker++) {
                        preference[entry][worker] = blue[worker] ? weight : 0;
                    }
                }
                if (random.nextInt(3) == 0) {
                    int worker = random.nextInt(size);
                    admitted.ranOn(worker);
                    ranOn[entry][worker] = true;
                }
                if (entry > 0) {
                    admitted.sameRank();
                }
            }
        }

        private double slotPrefers(int entry, int worker) {
            return 4 * (ranOn[entry][worker] ? 1 : 0) + preference[entry][worker] + used[worker];
        }

        /** Whether the worker prefers a slot of one entry to a slot of the other. */
        private boolean workerPrefers(int worker, int one, int other) {
            if (cpu[one] != cpu[other]) {
                return cpu[one] > cpu[other];
            }
            double first = priority[one] + 4 * (ranOn[one][worker] ? 1 : 0);
            double second = priority[other] + 4 * (ranOn[other][worker] ? 1 : 0);
            return first != second ? first > second : one < other;
        }

        private int blockingPairs(RecordedPlacement plan) {
            int[][] placed = new int[cpu.length][used.length];
            for (Run run : plan.runs()) {
                placed[run.entry()][run.worker()] += run.count();
            }
            int pairs = 0;
            for (int entry = 0; entry < cpu.length; entry++) {
                for (int worker = 0; worker < used.length; worker++) {
                    if (wantsMore(entry, worker, placed[entry]) && wouldTake(entry, worker, placed)) {
                        pairs++;
                    }
                }
            }
            return pairs;
        }

        /** Whether a slot of the entry has no place, or one that it likes less. */
        private boolean wantsMore(int entry, int worker, int[] placed) {
            int all = 0;
            boolean worse = false;
            for (int other = 0; other < placed.length; other++) {
                all += placed[other];
                double its = slotPrefers(entry, other);
                double wished = slotPrefers(entry, worker);
                worse |= placed[other] > 0 && (its < wished || its == wished && other > worker);
            }
            return all < count[entry] || worse;
        }

        /** Whether the slot fits beside the slots there that the worker does not like less. */
        private boolean wouldTake(int entry, int worker, int[][] placed) {
            long rest = free[worker];
            for (int other = 0; other < placed.length; other++) {
                if (other == entry || workerPrefers(worker, other, entry)) {
                    rest -= (long) cpu[other] * placed[other][worker];
                }
            }
            return rest >= cpu[entry];
        }
    }

    private static RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new GaleShapleySession(workers, DEFAULTS, 1_000_000).place(admitted, plan);
        return plan;
    }
}
