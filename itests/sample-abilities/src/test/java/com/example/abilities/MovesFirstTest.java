package com.example.abilities;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** It opens no workers and places no gangs of several groups, so only contracts without them hold. */
class MovesFirstTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);
    private static final long HOUR = 3_600_000;

    private static RecordedPlacement placeWhenTheWorkerOfTheMoverLeavesAt(long wallMillis) throws Exception {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(SLOT)
                .worker(SLOT)
                .leavingAt(0, wallMillis);
        ArrayAdmittedView admitted =
                new ArrayAdmittedView(workers).add("other", SLOT, 1).add("mover", SLOT, 1);
        admitted.allocations().add("mover", "default", SLOT, 0, 1, 0);
        return Placements.of(new MovesFirst(), Map.of(), workers, admitted);
    }

    @Test
    void whoHasToMoveSoonComesFirst() throws Exception {
        RecordedPlacement plan = placeWhenTheWorkerOfTheMoverLeavesAt(HOUR - 1);
        assertThat(plan.placed(0)).isZero();
        assertThat(plan.placed(1)).isEqualTo(1);
        assertThat(plan.excluded(0).values()).containsOnly("jobs that have to move come first");
    }

    @Test
    void whoHasToMoveLaterDoesNot() throws Exception {
        RecordedPlacement plan = placeWhenTheWorkerOfTheMoverLeavesAt(HOUR);
        assertThat(plan.placed(0)).isEqualTo(1);
        assertThat(plan.placed(1)).isZero();
        assertThat(plan.excluded(0)).isEmpty();
    }

    @Test
    void asksForNothing() throws Exception {
        MatchingStrategyContract contract = MovesFirst::new;
        contract.asksToBeCalledAgainOnlyNowAndThen();
        contract.reservesRoomOnlyForALimitedTime();
        contract.asksForSlotsOnlyForALimitedTime();
    }
}
