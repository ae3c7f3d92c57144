package io.berth.testkit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.spi.ResourceProfile;
import io.berth.spi.backend.WorkerSpec;
import org.junit.jupiter.api.Test;

/** What the host accepts and rejects, the kit accepts and rejects too. */
class PlacementRulesTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1L << 30);

    private final ArrayWorkersView workers =
            new ArrayWorkersView().worker(SLOT.times(4)).worker(SLOT.times(4));
    private final ArrayAdmittedView admitted = new ArrayAdmittedView(workers);
    private final RecordedPlacement plan = new RecordedPlacement(workers);

    private void check() {
        PlacementRules.check(workers, admitted, plan);
    }

    @Test
    void roomThatIsExcludedCountsForNothing() {
        admitted.add("a", SLOT, 4, 0).add("b", SLOT, 4);
        plan.place(1, 0, 4);
        assertThatThrownBy(this::check).hasMessageContaining("minimums that there is room for");
        plan.exclude(0, 1, "at most two slots on a host");
        assertThatThrownBy(this::check)
                .hasMessageContaining("gives room to later jobs that job a could have used: 4 x ");
        plan.exclude(0, 0, "at most two slots on a host");
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void anExclusionHasAReasonAndIsKept() {
        admitted.add("a", SLOT, 2);
        plan.place(0, 0, 2);
        plan.exclude(0, 1, " ");
        assertThatThrownBy(this::check)
                .hasMessageContaining("excludes worker w1 for group group-0 of job a and gives no reason");
        RecordedPlacement broken = new RecordedPlacement(workers);
        broken.place(0, 0, 2);
        broken.exclude(0, 0, "full");
        assertThatThrownBy(() -> PlacementRules.check(workers, admitted, broken))
                .hasMessageContaining("on worker w0, where they may not be: the same result excludes it");
    }

    @Test
    void newWorkersAreOfASpecThatTheConstraintsAllow() {
        workers.spec(WorkerSpec.of("gpu", SLOT.times(4)).taint("gpu", "v100").build(), 1);
        admitted.add("a", SLOT, 9);
        plan.place(0, 0, 4);
        plan.place(0, 1, 4);
        assertThatCode(this::check).doesNotThrowAnyException();
        plan.place(0, plan.open(0), 1);
        assertThatThrownBy(this::check)
                .hasMessageContaining("the labels and taints of its spec do not fit the constraints");
    }

    @Test
    void aWorkerGivesNoMoreThanItHas() {
        admitted.add("a", SLOT, 5);
        plan.place(0, 0, 5);
        assertThatThrownBy(this::check).hasMessageContaining("places 5 slots of group group-0 of job a");
    }

    @Test
    void aMinimumIsPlacedWhole() {
        admitted.add("a", SLOT, 3, 0).add("a", SLOT, 3, 0);
        plan.place(0, 0, 3);
        assertThatThrownBy(this::check).hasMessageContaining("places 3 of the 6 slots that are the minimum of job a");
    }

    @Test
    void aSlotThatIsNotAMinimumMustBePlacedWhereThereIsRoom() {
        admitted.add("a", SLOT, 8);
        plan.place(0, 0, 4);
        plan.unplaced(0, "no room");
        assertThatThrownBy(this::check).hasMessageContaining("room for entry 0, of which 4 slots were left out");
    }

    @Test
    void aGangOfOneProfileMustBePlacedWhereThereIsRoomAndOneOfSeveralIsTriedByTheHost() {
        admitted.add("a", SLOT, 8, 0);
        plan.unplaced(0, "no room");
        assertThatThrownBy(this::check).hasMessageContaining("room for entry 0, of which 8 slots were left out");
        admitted.add("a", SLOT.times(2), 1, 0);
        assertThatCode(this::check).doesNotThrowAnyException();
    }

    @Test
    void aReservationTakesOnlyWhatIsLeft() {
        admitted.add("a", SLOT, 9, 0).add("b", SLOT, 8);
        plan.unplaced(0, "no room");
        plan.reserve(0, 0, 4);
        plan.place(1, 1, 4);
        assertThatCode(this::check).doesNotThrowAnyException();
        plan.place(1, 0, 1);
        assertThatThrownBy(this::check).hasMessageContaining("reserves room for 4 slots of group group-0 of job a");
    }
}
