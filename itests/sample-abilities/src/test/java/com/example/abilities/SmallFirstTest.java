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
class SmallFirstTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    private final ArrayWorkersView workers = new ArrayWorkersView().worker(SLOT.times(2));

    private ArrayAdmittedView largeAndSmall() {
        return new ArrayAdmittedView(workers).add("large", SLOT, 2, 0).add("small", SLOT, 1, 1);
    }

    private RecordedPlacement place(ArrayAdmittedView admitted) throws Exception {
        return Placements.of(new SmallFirst(), Map.of(), workers, admitted);
    }

    @Test
    void servesTheSmallestOfARankFirst() throws Exception {
        RecordedPlacement plan = place(largeAndSmall().sameRank());
        assertThat(plan.misuse()).isEmpty();
        assertThat(plan.placed(0)).isZero();
        assertThat(plan.placed(1)).isEqualTo(1);
    }

    @Test
    void keepsTheOrderOfRanks() throws Exception {
        RecordedPlacement plan = place(largeAndSmall());
        assertThat(plan.misuse()).isEmpty();
        assertThat(plan.placed(0)).isEqualTo(2);
        assertThat(plan.placed(1)).isZero();
    }

    @Test
    void asksForNothing() throws Exception {
        MatchingStrategyContract contract = SmallFirst::new;
        contract.asksToBeCalledAgainOnlyNowAndThen();
        contract.reservesRoomOnlyForALimitedTime();
    }
}
