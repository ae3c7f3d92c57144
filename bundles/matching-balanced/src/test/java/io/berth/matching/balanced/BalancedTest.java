package io.berth.matching.balanced;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.policy.support.packing.MixedPlacement;
import io.berth.policy.support.packing.PackingSession;
import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BalancedTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    private static final ResourceProfile WITH_MANAGED = new ResourceProfile(4_000, 4_000, 0, 4_000, new TreeMap<>());

    @Override
    public MatchingStrategyFactory factory() {
        return new BalancedFactory();
    }

    @Test
    void usesWorkersEvenlyWhileThereIsSlack() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 4));
        assertThat(plan.on(0)).isEqualTo(2);
        assertThat(plan.on(1)).isEqualTo(2);
    }

    @Test
    void fillsWorkersWhenItGetsTight() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 7));
        assertThat(plan.runs()).containsExactly(new Run(0, 0, 4), new Run(0, 1, 3));
    }

    @Test
    void packsWhenEvenUseLeavesNoRoomForALargeSlot() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers).add("a", SLOT, 2).add("b", ResourceProfile.of(4_000, 4_000), 1));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.placed(1)).isEqualTo(1);
    }

    @Test
    void countsWhatEachResourceIsUsedOf() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        workers.take(0, 1, 3_000).take(1, 1, 3_000);
        RecordedPlacement plan =
                place(workers, new ArrayAdmittedView(workers).add("a", ResourceProfile.of(1_000, 300), 2));
        assertThat(plan.runs()).containsExactly(new Run(0, 0, 2));
    }

    @Test
    void leavesWorkersWithResourcesThatASlotDoesNotRequestToOthers() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(WITH_MANAGED).worker(SIZE);
        ArrayAdmittedView admitted = new ArrayAdmittedView(workers).add("a", SLOT, 2);
        assertThat(place(workers, admitted).runs()).containsExactly(new Run(0, 1, 2));
        RecordedPlacement even = new RecordedPlacement(workers);
        new BalancedSession(workers, 0.8, false).place(admitted, even);
        assertThat(even.runs()).containsExactlyInAnyOrder(new Run(0, 0, 1), new Run(0, 1, 1));
    }

    @Test
    void aSlotThatFitsNowhereDoesNotMakeItPack() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(9_000, 9_000), 1)
                        .add("b", SLOT, 2));
        assertThat(plan.runs()).containsExactlyInAnyOrder(new Run(1, 0, 1), new Run(1, 1, 1));
        assertThat(plan.reasons()).containsOnlyKeys(0);
    }

    @Test
    void placesEvenlyWhatPackingWouldLeaveOver() {
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(ResourceProfile.of(10, 10)).worker(ResourceProfile.of(6, 6));
        workers.take(0, 0, 5).take(0, 1, 5).take(1, 0, 2).take(1, 1, 2);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", ResourceProfile.of(4, 4), 1)
                        .add("b", ResourceProfile.of(5, 5), 1));
        assertThat(plan.reasons()).isEmpty();
        assertThat(plan.runs()).containsExactlyInAnyOrder(new Run(0, 1, 1), new Run(1, 0, 1));
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.3, 0.7, 1})
    void leavesNothingThatPackWouldPlace(double tight) {
        int even = 0;
        for (int seed = 0; seed < 500; seed++) {
            Random random = new Random(seed);
            ArrayWorkersView workers = new ArrayWorkersView();
            int limit = 2 + random.nextInt(12);
            for (int worker = 0; worker < limit; worker++) {
                workers.worker(random.nextInt(3) == 0 ? WITH_MANAGED : SIZE);
                workers.take(worker, 0, random.nextInt(4_000));
            }
            ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
            int entries = 1 + random.nextInt(8);
            for (int entry = 0; entry < entries; entry++) {
                int size = 1 + random.nextInt(3_000);
                admitted.add(
                        "job-" + entry,
                        new ResourceProfile(size, size, 0, random.nextInt(3) == 0 ? size : 0, new TreeMap<>()),
                        1 + random.nextInt(4));
            }
            RecordedPlacement balanced = new RecordedPlacement(workers);
            new BalancedSession(workers, tight, true).place(admitted, balanced);
            RecordedPlacement packed = new RecordedPlacement(workers);
            new PackingSession(workers, MixedPlacement.greedy(workers)).place(admitted, packed);
            for (int entry = 0; entry < entries; entry++) {
                assertThat(balanced.placed(entry)).as("seed %d", seed).isGreaterThanOrEqualTo(packed.placed(entry));
            }
            even += balanced.runs().equals(packed.runs()) ? 0 : 1;
        }
        assertThat(even).isGreaterThan(0);
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new BalancedSession(workers, 0.8, true).place(admitted, plan);
        return plan;
    }
}
