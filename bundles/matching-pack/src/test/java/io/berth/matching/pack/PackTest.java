package io.berth.matching.pack;

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
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PackTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    @Override
    public MatchingStrategyFactory factory() {
        return new PackFactory();
    }

    @Test
    void fillsTheWorkerWithTheLeastRoomThatIsEnough() {
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(SIZE).worker(SIZE).worker(SIZE);
        workers.take(1, 0, 2_000).take(2, 0, 3_500);
        assertThat(place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 3))
                        .runs())
                .containsExactly(new Run(0, 1, 2), new Run(0, 0, 1));
    }

    @Test
    void mixesProfilesThatNeedDifferentThingsOnEachWorker() {
        ResourceProfile size = ResourceProfile.of(10_000, 10_000);
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 20).forEach(each -> workers.worker(size));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("cpu", ResourceProfile.of(4_000, 1_000), 20)
                        .add("memory", ResourceProfile.of(1_000, 4_000), 20));
        assertThat(plan.runs().stream().mapToInt(Run::count).sum()).isEqualTo(40);
        // Two of each fill a worker; one kind alone leaves half of a dimension.
        assertThat(plan.runs().stream().mapToInt(Run::worker).distinct().count())
                .isEqualTo(10);
    }

    @Test
    void keepsTheOrderOfRanksWhenNotEverythingFits() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers).add("first", SLOT, 7).add("second", ResourceProfile.of(2_000, 500), 10));
        assertThat(plan.placed(0)).isEqualTo(7);
        assertThat(plan.reasons()).containsOnlyKeys(1);
    }

    @Test
    void placesWhatPrefersWorkersThereBeforeItPlansTheRest() {
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 10).forEach(each -> workers.worker(SIZE));
        workers.label(0, "disk", "ssd").label(1, "disk", "ssd").label(2, "disk", "ssd");
        workers.label(2, "rack", "r7").take(0, 0, 3_500);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("other", ResourceProfile.of(2_000, 500), 10)
                        .add("job", SLOT, 6)
                        .preferring("disk", "ssd", 2)
                        .preferring("rack", "r7", 1));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.runs()).contains(new Run(1, 2, 4), new Run(1, 1, 2));
        assertThat(plan.on(2)).isEqualTo(4);
        assertThat(plan.placed(0)).isEqualTo(10);
    }

    @Test
    void leavesPreferredWorkersToSlotsThatFitNowhereElse() {
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 10).forEach(each -> workers.worker(SIZE));
        workers.label(9, "disk", "ssd");
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("would-like", SLOT, 16)
                        .preferring("disk", "ssd", 1)
                        .add("must", ResourceProfile.of(2_000, 500), 2)
                        .requiring("disk", "ssd"));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.placed(0)).isEqualTo(16);
        assertThat(plan.runs()).contains(new Run(1, 9, 2));
    }

    @Test
    void plansNewWorkersOfTheSpecThatAGroupPrefers() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .spec(
                        WorkerSpec.of("plain", SIZE)
                                .defaultSlots(4)
                                .costPerHour(1)
                                .build(),
                        20)
                .spec(
                        WorkerSpec.of("disks", SIZE)
                                .defaultSlots(4)
                                .label("disk", "ssd")
                                .costPerHour(9)
                                .build(),
                        20);
        ResourceProfile large = ResourceProfile.of(2_000, 500);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("would-like", SLOT, 8)
                        .preferring("disk", "ssd", 1)
                        .add("other", large, 8));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.runs())
                .allSatisfy(run -> assertThat(plan.opened().get(run.worker())).isEqualTo(run.entry() == 0 ? 1 : 0));
        assertThat(plan.opened()).as("two for 8 quarters, four for 8 halves").hasSize(6);

        ArrayWorkersView few = new ArrayWorkersView()
                .spec(SIZE, 20)
                .spec(
                        WorkerSpec.of("disks", SIZE)
                                .defaultSlots(4)
                                .label("disk", "ssd")
                                .build(),
                        1);
        RecordedPlacement enough = place(
                few,
                new ArrayAdmittedView(few)
                        .add("would-like", SLOT, 8)
                        .preferring("disk", "ssd", 1)
                        .add("other", large, 8));
        assertThat(enough.reasons()).as("one is not enough for them").isEmpty();
        assertThat(enough.placed(0)).isEqualTo(8);
    }

    @Test
    void plansTheSlotsThatFindNoRoomOnPreferredWorkers() {
        ArrayWorkersView workers = new ArrayWorkersView();
        IntStream.range(0, 10).forEach(each -> workers.worker(SIZE));
        workers.label(9, "disk", "ssd");
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("first", SLOT, 3)
                        .preferring("disk", "ssd", 1)
                        .add("second", ResourceProfile.of(2_000, 500), 10)
                        .add("third", SLOT, 5)
                        .preferring("disk", "ssd", 1));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.runs()).contains(new Run(0, 9, 3), new Run(2, 9, 1));
        assertThat(IntStream.range(0, 3).map(plan::placed)).containsExactly(3, 10, 5);
        // Four fill worker 9. The other 14 take a half or a quarter of a worker each.
        assertThat(plan.runs().stream().mapToInt(Run::worker).distinct().count())
                .isEqualTo(7);
    }

    @Test
    void needsFewMoreWorkersThanTheVolumeBound() {
        for (int profiles : new int[] {20, 60}) {
            Random random = new Random(profiles);
            ArrayWorkersView workers = new ArrayWorkersView();
            ResourceProfile size = ResourceProfile.of(12_000, 48_000);
            IntStream.range(0, 400).forEach(each -> workers.worker(size));
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            long cpu = 0;
            long heap = 0;
            for (int nth = 0; nth < profiles; nth++) {
                int takesCpu = 100 * (1 + random.nextInt(20));
                int takesHeap = 256 * (1 + random.nextInt(32));
                int count = 2_000 / profiles;
                admitted.add("p" + nth, ResourceProfile.of(takesCpu, takesHeap), count);
                cpu += (long) takesCpu * count;
                heap += (long) takesHeap * count;
            }
            long bound = Math.max((cpu + 11_999) / 12_000, (heap + 47_999) / 48_000);
            RecordedPlacement plan = place(workers, admitted);
            assertThat(plan.reasons()).isEmpty();
            assertThat(plan.runs().stream().mapToInt(Run::worker).distinct().count())
                    .isLessThanOrEqualTo(bound + bound / 20);
        }
    }

    @Test
    void opensTheSpecThatCostsLeastForWhatIsToBePlaced() {
        WorkerSpec small = WorkerSpec.of("small", SIZE).costPerHour(1).build();
        WorkerSpec large = WorkerSpec.of("large", ResourceProfile.of(16_000, 16_000))
                .costPerHour(2)
                .build();
        ArrayWorkersView workers = new ArrayWorkersView().spec(small, 9).spec(large, 9);
        assertThat(place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 4))
                        .opened())
                .containsExactly(0);
        assertThat(place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 16))
                        .opened())
                .containsExactly(1);
        assertThat(place(
                                workers,
                                new ArrayAdmittedView(workers)
                                        .add("a", SLOT, 12)
                                        .add("b", ResourceProfile.of(500, 500), 8))
                        .opened())
                .containsExactly(1);
    }

    @Test
    void leavesWorkersWithResourcesThatASlotDoesNotRequestToOthers() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(new ResourceProfile(4_000, 4_000, 0, 4_000, new TreeMap<>()))
                .worker(SIZE);
        workers.take(0, 0, 2_000);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", SLOT, 1);
        assertThat(place(workers, admitted).runs()).containsExactly(new Run(0, 0, 1));
        RecordedPlacement keeping = new RecordedPlacement(workers);
        new PackingSession(workers, MixedPlacement.greedy(workers), true).place(admitted, keeping);
        assertThat(keeping.runs()).containsExactly(new Run(0, 1, 1));
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new PackingSession(workers, MixedPlacement.greedy(workers)).place(admitted, plan);
        return plan;
    }
}
