package io.berth.matching.firstfit;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import org.junit.jupiter.api.Test;

class FirstFitTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

    @Override
    public MatchingStrategyFactory factory() {
        return new FirstFitFactory();
    }

    @Test
    void fillsTheFirstWorkerBeforeTheSecond() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 6));
        assertThat(plan.runs()).containsExactly(new Run(0, 0, 4), new Run(0, 1, 2));
    }

    @Test
    void takesRegisteredWorkersBeforePendingOnes() {
        ArrayWorkersView workers = new ArrayWorkersView().pendingWorker(SIZE).worker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 5));
        assertThat(plan.runs()).containsExactly(new Run(0, 1, 4), new Run(0, 0, 1));
    }

    @Test
    void c21_ofTwoPendingWorkersOneIsUsedWhenItIsEnough() {
        ArrayWorkersView workers = new ArrayWorkersView().pendingWorker(SIZE).pendingWorker(SIZE);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 4));
        assertThat(plan.runs()).containsExactly(new Run(0, 0, 4));
    }

    @Test
    void opensTheSmallestSpecThatFits() {
        ArrayWorkersView workers = new ArrayWorkersView()
                .spec(ResourceProfile.of(8_000, 8_000), 5)
                .spec(ResourceProfile.of(2_000, 2_000), 5)
                .spec(ResourceProfile.of(500, 500), 5);
        RecordedPlacement plan = place(workers, new ArrayAdmittedView(workers).add("a", SLOT, 3, 0));
        assertThat(plan.opened()).containsExactly(1, 1);
    }

    @Test
    void givesRoomBackWhenAGangDoesNotFitAndSaysWhatIsShort() {
        ArrayWorkersView workers = new ArrayWorkersView().worker(ResourceProfile.of(2_000, 9_000));
        RecordedPlacement plan = place(
                workers,
                new ArrayAdmittedView(workers)
                        .add("a", SLOT, 1, 0)
                        .add("a", SLOT, 2, 0)
                        .add("b", SLOT, 2, 1));
        assertThat(plan.runs()).containsExactly(new Run(2, 0, 2));
        assertThat(plan.reasons().get(1)).contains("1 of 1 workers have too little cpu");
    }

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        FirstFitFactory.session(workers).place(admitted, plan);
        return plan;
    }
}
