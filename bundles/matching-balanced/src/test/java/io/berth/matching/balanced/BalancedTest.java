package io.berth.matching.balanced;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import org.junit.jupiter.api.Test;

class BalancedTest implements MatchingStrategyContract {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final ResourceProfile SIZE = ResourceProfile.of(4_000, 4_000);

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

    private RecordedPlacement place(ArrayWorkersView workers, ArrayAdmittedView admitted) {
        RecordedPlacement plan = new RecordedPlacement(workers);
        new BalancedSession(workers, 0.8).place(admitted, plan);
        return plan;
    }
}
