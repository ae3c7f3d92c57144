package io.berth.matching.spread;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import org.junit.jupiter.api.Test;

class SpreadTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    @Override
    public MatchingStrategyFactory factory() {
        return new SpreadFactory();
    }

    @Test
    void placesEvenlyOnEqualWorkers() {
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(SIZE).worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 7));
        assertThat(plan.on(0)).isEqualTo(3);
        assertThat(plan.on(1)).isEqualTo(2);
        assertThat(plan.on(2)).isEqualTo(2);
    }

    @Test
    void takesTheLeastUtilizedWorkerFirst() {
        ArrayWorkersView workers =
                new ArrayWorkersView().worker(SIZE).worker(SIZE).take(0, 1, 3_000);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 3));
        assertThat(plan.on(0)).isZero();
        assertThat(plan.on(1)).isEqualTo(3);
    }

    @Test
    void keepsTheOrderAcrossProfiles() {
        ResourceProfile large = ResourceProfile.of(2_000, 2_000);
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", SLOT, 1)
                        .add("b", large, 1)
                        .add("c", SLOT, 1));
        assertThat(plan.on(0)).isEqualTo(2);
        assertThat(plan.on(1)).isEqualTo(1);
    }

    @Test
    void takesRegisteredWorkersBeforeIdlePendingOnes() {
        ArrayWorkersView workers = new ArrayWorkersView().pendingWorker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 5));
        assertThat(plan.on(1)).isEqualTo(4);
        assertThat(plan.on(0)).isEqualTo(1);
    }

    @Test
    void c21_ofTwoPendingWorkersOneIsUsedWhenItIsEnough() {
        ArrayWorkersView workers = new ArrayWorkersView().pendingWorker(SIZE).pendingWorker(SIZE);
        RecordedPlacement enough = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 4));
        assertThat(enough.on(0)).isEqualTo(4);
        assertThat(enough.on(1)).isZero();
        RecordedPlacement more =
                place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 3).add("b", SLOT, 2));
        assertThat(more.on(0)).isEqualTo(4);
        assertThat(more.on(1)).isEqualTo(1);
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        SpreadFactory.session(workers).place(admitted, plan);
        return plan;
    }
}
