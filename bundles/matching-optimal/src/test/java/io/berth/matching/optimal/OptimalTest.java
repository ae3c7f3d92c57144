package io.berth.matching.optimal;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

class OptimalTest implements MatchingStrategyContract {

    @Override
    public MatchingStrategyFactory factory() {
        return new OptimalFactory();
    }

    /** Three slots of 0.34 leave a third of each worker; with 0.30 and 0.36 each worker is full. */
    @Test
    void findsTheMixThatFillsEachWorker() {
        ArrayWorkersView workers = new ArrayWorkersView();
        ResourceProfile size = ResourceProfile.of(10_000, 10_000);
        IntStream.range(0, 40).forEach(each -> workers.worker(size));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(5_000, 5_000), 12)
                        .add("b", ResourceProfile.of(3_000, 3_000), 24)
                        .add("c", ResourceProfile.of(2_000, 2_000), 24));
        assertThat(plan.reasons()).isEmpty();
        assertThat(used(plan)).isEqualTo(18);
        assertThat(plan.notes()).containsExactly("what workers in use do not take cannot be placed at less cost");
    }

    @Test
    void needsHardlyMoreWorkersThanTheVolumeBound() {
        for (long seed = 1; seed <= 3; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = new ArrayWorkersView();
            ResourceProfile size = ResourceProfile.of(12_000, 48_000);
            IntStream.range(0, 2_000).forEach(each -> workers.worker(size));
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            long cpu = 0;
            long heap = 0;
            for (int nth = 0; nth < 20; nth++) {
                int takesCpu = 100 * (1 + random.nextInt(20));
                int takesHeap = 256 * (1 + random.nextInt(32));
                admitted.add("p" + nth, ResourceProfile.of(takesCpu, takesHeap), 700);
                cpu += takesCpu * 700L;
                heap += takesHeap * 700L;
            }
            long bound = Math.max((cpu + 11_999) / 12_000, (heap + 47_999) / 48_000);
            RecordedPlacement plan = place(workers, admitted);
            assertThat(plan.reasons()).isEmpty();
            assertThat(used(plan)).as("seed %s", seed).isLessThanOrEqualTo(bound + bound / 100);
            assertThat(plan.notes())
                    .as("seed %s", seed)
                    .singleElement(InstanceOfAssertFactories.STRING)
                    .matches("what workers in use do not take (cannot be placed at less cost"
                            + "|is placed at most 0\\.[0-9] % above the least cost)");
        }
    }

    /**
     * A slot of 6 leaves no room for one of 5, and two of 5 fill a worker: 100 and 50 workers, where the volume would fit
     * on 110.
     */
    @Test
    void saysThatNoPlacementCostsLessWhenTheVolumeAloneDoesNotShowIt() {
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 400).forEach(each -> workers.worker(ResourceProfile.of(10_000, 10_000)));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(6_000, 1_000), 100)
                        .add("b", ResourceProfile.of(5_000, 1_000), 100));
        assertThat(used(plan)).isEqualTo(150);
        assertThat(plan.notes()).containsExactly("what workers in use do not take cannot be placed at less cost");
    }

    @Test
    void saysWhenWorkersInUseTakeAllSlots() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(ResourceProfile.of(40_000, 40_000))
                .take(0, 0, 1_000);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(1_000, 1_000), 10)
                        .add("b", ResourceProfile.of(2_000, 500), 10));
        assertThat(plan.notes()).containsExactly("workers in use take all slots");
    }

    /** A worker without GPUs must not keep the search from being exact. */
    @Test
    void findsTheMixWhenSomeSlotsRequestWhatOtherWorkersHave() {
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 40).forEach(each -> workers.worker(ResourceProfile.of(10_000, 10_000)));
        ResourceProfile gpu = new ResourceProfile(1_000, 1_000, 0, 0, new TreeMap<>(Map.of("gpu", 1L)));
        IntStream.range(0, 2).forEach(each -> workers.worker(gpu));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(5_000, 5_000), 12)
                        .add("b", ResourceProfile.of(3_000, 3_000), 24)
                        .add("c", ResourceProfile.of(2_000, 2_000), 24)
                        .add("gpu", gpu, 2));
        assertThat(used(plan)).isEqualTo(20);
        assertThat(plan.notes()).containsExactly("what workers in use do not take cannot be placed at less cost");
    }

    @Test
    void isNeverAboveTheCostThatItSaysIsTheLeast() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            int half = 1 + random.nextInt(5);
            ArrayWorkersView workers = new ArrayWorkersView();
            IntStream.range(0, 40).forEach(each -> workers.worker(ResourceProfile.of(8_000, 8_000)));
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            // Pairs that fill a worker: the least number of workers is known.
            for (int nth = 0; nth < half; nth++) {
                int cpu = 500 * (1 + random.nextInt(15));
                int heap = 500 * (1 + random.nextInt(15));
                admitted.add("a" + nth, ResourceProfile.of(cpu, heap), 6);
                admitted.add("b" + nth, ResourceProfile.of(8_000 - cpu, 8_000 - heap), 6);
            }
            RecordedPlacement plan = place(workers, admitted);
            int least = 6 * half;
            assertThat(used(plan)).as("seed %s", seed).isGreaterThanOrEqualTo(least);
            String note = plan.notes().isEmpty() ? "" : plan.notes().get(0);
            if (note.endsWith("cannot be placed at less cost")) {
                assertThat(used(plan)).as("seed %s: %s", seed, note).isEqualTo(least);
            } else if (!note.isEmpty()) {
                Matcher most = Pattern.compile("at most ([0-9.]+) % above").matcher(note);
                assertThat(most.find()).as("seed %s: %s", seed, note).isTrue();
                assertThat(used(plan))
                        .as("seed %s: %s", seed, note)
                        .isLessThanOrEqualTo(Math.round(least * (1 + Double.parseDouble(most.group(1)) / 100)));
            }
        }
    }

    /** On random pools, some of whose workers are in use. */
    @Test
    void leavesNoMoreAndUsesNoMoreWorkersThanPack() {
        int better = 0;
        for (long seed = 1; seed <= 500; seed++) {
            RecordedPlacement optimal = place(seed, true);
            RecordedPlacement pack = place(seed, false);
            assertThat(placed(optimal)).as("placed, seed %s", seed).isGreaterThanOrEqualTo(placed(pack));
            if (placed(optimal) == placed(pack)) {
                assertThat(used(optimal)).as("workers, seed %s", seed).isLessThanOrEqualTo(used(pack));
            }
            better += placed(optimal) > placed(pack) || used(optimal) < used(pack) ? 1 : 0;
        }
        assertThat(better).isGreaterThan(50);
    }

    private static RecordedPlacement place(long seed, boolean optimal) {
        Random random = new Random(seed);
        ArrayWorkersView workers = new ArrayWorkersView();
        int cores = 4_000 * (1 + random.nextInt(4));
        int count = 5 + random.nextInt(40);
        for (int worker = 0; worker < count; worker++) {
            workers.worker(ResourceProfile.of(cores, 16_000));
            if (random.nextInt(4) == 0) {
                workers.take(worker, 0, 100L * random.nextInt(cores / 100));
            }
        }
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
        for (int entry = 1 + random.nextInt(8); entry > 0; entry--) {
            admitted.add(
                    "e" + entry,
                    ResourceProfile.of(100 * (1 + random.nextInt(40)), 100 * (1 + random.nextInt(80))),
                    1 + random.nextInt(30));
        }
        RecordedPlacement plan = new RecordedPlacement(workers);
        MixedPlacement mixed = optimal ? MixedPlacement.optimal(workers, () -> true) : MixedPlacement.greedy(workers);
        new PackingSession(workers, mixed).place(admitted, plan);
        return plan;
    }

    private static long placed(RecordedPlacement plan) {
        return plan.runs().stream().mapToLong(Run::count).sum();
    }

    @Test
    void placesWhatPrefersWorkersThereBeforeItPlansTheRest() {
        ArrayWorkersView workers = new ArrayWorkersView();
        ResourceProfile size = ResourceProfile.of(10_000, 10_000);
        IntStream.range(0, 40).forEach(each -> workers.worker(size));
        workers.label(38, "disk", "ssd").label(39, "disk", "ssd");
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(5_000, 5_000), 12)
                        .add("b", ResourceProfile.of(3_000, 3_000), 24)
                        .preferring("disk", "ssd", 1)
                        .add("c", ResourceProfile.of(2_000, 2_000), 24));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.runs()).contains(new Run(1, 38, 3), new Run(1, 39, 3));
        // The slots of c do not fill what is left of these two: one more worker is needed than without a preference.
        assertThat(used(plan)).isEqualTo(19);
        assertThat(plan.notes())
                .containsExactly("what preferred workers and workers in use do not take cannot be placed at less cost");
    }

    /** Without the preference, all would be on workers that cost a ninth. */
    @Test
    void saysThatOnlySpecsThatGroupsPreferWereCompared() {
        ResourceProfile size = ResourceProfile.of(4_000, 4_000);
        ArrayWorkersView workers = new ArrayWorkersView()
                .spec(WorkerSpec.of("plain", size).costPerHour(1).build(), 20)
                .spec(
                        WorkerSpec.of("disks", size)
                                .label("disk", "ssd")
                                .costPerHour(9)
                                .build(),
                        20);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("would-like", ResourceProfile.of(1_000, 1_000), 8)
                        .preferring("disk", "ssd", 1)
                        .add("other", ResourceProfile.of(2_000, 2_000), 8));
        assertThat(plan.notes())
                .containsExactly("what workers in use do not take cannot be placed at less cost"
                        + " with the specs that groups prefer");
    }

    @Test
    void opensTheCheapestWorkersForAMix() {
        WorkerSpec memory = WorkerSpec.of("memory", ResourceProfile.of(4_000, 16_000))
                .costPerHour(2)
                .build();
        WorkerSpec plain = WorkerSpec.of("plain", ResourceProfile.of(8_000, 8_000))
                .costPerHour(2)
                .build();
        ArrayWorkersView workers = new ArrayWorkersView().spec(memory, 50).spec(plain, 50);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(1_000, 4_000), 16)
                        .add("b", ResourceProfile.of(2_000, 2_000), 16));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.opened()).hasSize(8);
        assertThat(plan.opened().stream().filter(spec -> spec == 0).count()).isEqualTo(4);
    }

    private static long used(RecordedPlacement plan) {
        return plan.runs().stream().mapToInt(Run::worker).distinct().count();
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new PackingSession(workers, MixedPlacement.optimal(workers, () -> true)).place(admitted, plan);
        return plan;
    }
}
