package io.berth.benchmark.churn;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.benchmark.workload.Workload;
import org.junit.jupiter.api.Test;

class OccupancyTest {

    private final Workload workload = Workload.of(4, 20, 1, 2, 1, 0, false);
    private final Occupancy occupancy = new Occupancy(workload);

    @Test
    void aPlacedSlotUsesItsWorkerUntilItEnds() {
        assertThat(occupancy.freeOf(2)).isEqualTo(workload.worker());

        occupancy.place(1, 0, 2, 3);

        assertThat(occupancy.freeOf(2))
                .isEqualTo(workload.worker().minus(workload.profile(0).times(3)));
        assertThat(occupancy.placed(1, 0)).isEqualTo(3);
        assertThat(occupancy.missing()).isEqualTo(17);
        assertThat(occupancy.waiting(1, 0)).isEqualTo(7);

        occupancy.end(1);

        assertThat(occupancy.hasSlot(1)).isFalse();
        assertThat(occupancy.hasSlot(3)).isTrue();
        assertThat(occupancy.freeOf(2))
                .isEqualTo(workload.worker().minus(workload.profile(0).times(2)));
        assertThat(occupancy.missing()).isEqualTo(18);
    }

    @Test
    void returnsEachChangeOnceAndInOrder() {
        assertThat(occupancy.takeChangedWorkers()).containsExactly(0, 1, 2, 3);
        assertThat(occupancy.takeChangedDemands()).containsExactly(0, 1);

        occupancy.place(0, 0, 3, 1);
        occupancy.place(0, 0, 1, 1);
        occupancy.place(0, 0, 3, 1);

        assertThat(occupancy.takeChangedWorkers()).containsExactly(1, 3);
        assertThat(occupancy.takeChangedDemands()).containsExactly(0);
        assertThat(occupancy.takeChangedWorkers()).isEmpty();
    }
}
