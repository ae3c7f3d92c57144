package io.berth.policy.support;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.RecordedPlacement;
import io.berth.testkit.RecordedPlacement.Run;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Groups that prefer workers get slots there first. */
class PreferredWorkersTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 100);

    /** Four workers of two slots; the last two are in rack r7, and the last one has a disk. */
    private final ArrayWorkersView workers = new ArrayWorkersView()
            .worker(SLOT.times(2))
            .worker(SLOT.times(2))
            .worker(SLOT.times(2))
            .worker(SLOT.times(2))
            .label(2, "rack", "r7")
            .label(3, "rack", "r7")
            .label(3, "disk", "ssd");

    private static SlotPlacement.Order order(boolean fills) {
        return new SlotPlacement.Order() {
            @Override
            public void changed(int worker, FreeRoom room) {
                // Keeps nothing.
            }

            @Override
            public int next(FittingWorkers fitting) {
                return fitting.first();
            }

            @Override
            public boolean fills() {
                return fills;
            }
        };
    }

    private ArrayAdmittedView preferring(int count, int gang) {
        return new ArrayAdmittedView(workers).add("job", SLOT, count, gang).preferring("rack", "r7", 10);
    }

    private List<Run> place(SlotPlacement placement, ArrayAdmittedView admitted) {
        RecordedPlacement result = new RecordedPlacement(workers);
        placement.place(admitted, result);
        return result.runs();
    }

    @Test
    void theyAreFilledFirstAndThoseWithTheLargestWeightBeforeOthers() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        assertThat(place(placement, preferring(3, -1).preferring("disk", "ssd", 1)))
                .containsExactly(new Run(0, 3, 2), new Run(0, 2, 1));
    }

    @Test
    void whatFindsNoRoomThereGoesToOthers() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        assertThat(place(placement, preferring(5, 0)))
                .containsExactly(new Run(0, 2, 2), new Run(0, 3, 2), new Run(0, 0, 1));
    }

    @Test
    void anOrderThatDoesNotFillGivesEachOfThemOneSlotAtATime() {
        SlotPlacement placement = new SlotPlacement(workers, order(false));
        assertThat(place(placement, preferring(2, -1))).containsExactlyInAnyOrder(new Run(0, 2, 1), new Run(0, 3, 1));
        assertThat(place(placement, preferring(3, -1))).containsExactlyInAnyOrder(new Run(0, 2, 2), new Run(0, 3, 1));
    }

    @Test
    void anOrderThatDoesNotFillGivesTheNextJobTheLeastUsedOfThem() {
        SlotPlacement placement = new SlotPlacement(workers, order(false));
        ArrayAdmittedView admitted = preferring(1, -1).add("next", SLOT, 1).preferring("rack", "r7", 10);
        assertThat(place(placement, admitted)).containsExactly(new Run(0, 2, 1), new Run(1, 3, 1));
    }

    @Test
    void aWorkerThatComesIsLookedAt() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        place(placement, preferring(1, -1).preferring("disk", "ssd", 1));
        workers.worker(SLOT.times(2))
                .label(4, "rack", "r7")
                .label(4, "disk", "ssd")
                .label(3, "rack", "r8");
        placement.delta(new int[] {3, 4});
        assertThat(place(placement, preferring(3, -1).preferring("disk", "ssd", 1)))
                .containsExactly(new Run(0, 4, 2), new Run(0, 2, 1));
    }

    @Test
    void aGangThatFindsNoRoomLeavesItToTheNextEntry() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        ArrayAdmittedView admitted = preferring(9, 0).add("next", SLOT, 2).preferring("rack", "r7", 10);
        assertThat(place(placement, admitted)).containsExactly(new Run(1, 2, 2));
    }

    @Test
    void otherLabelsCountFromTheNextCallOn() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        place(placement, preferring(1, -1));
        workers.label(0, "rack", "r7");
        placement.delta(new int[] {0});
        assertThat(place(placement, preferring(1, -1))).containsExactly(new Run(0, 0, 1));
    }

    @Test
    void whoPrefersNoneKeepsTheOrder() {
        SlotPlacement placement = new SlotPlacement(workers, order(true));
        assertThat(place(placement, new ArrayAdmittedView(workers).add("job", SLOT, 1)))
                .containsExactly(new Run(0, 0, 1));
    }
}
