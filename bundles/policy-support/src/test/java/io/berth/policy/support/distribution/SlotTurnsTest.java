package io.berth.policy.support.distribution;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayDemandsView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SlotTurnsTest {

    private static final ResourceProfile CORE = ResourceProfile.of(1_000, 100);

    @Test
    void theGroupWithTheFewestSlotsIsNext() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, CORE, 1, 4, 0).group(0, CORE, 2, 4, 3);
        SlotTurns turns = new SlotTurns(demands, 0);
        List<Integer> groups = new ArrayList<>();
        while (!turns.isEmpty()) {
            groups.add(turns.group());
            turns.take(turns.turn(1));
        }
        assertThat(groups).containsExactly(0, 0, 0, 1);
    }

    @Test
    void aTurnIsSharedByTheGroupsAndNotMoreThanAGroupLacks() {
        ArrayDemandsView demands = new ArrayDemandsView().unit("job", 1);
        demands.group(0, CORE, 0, 100, 0).group(0, CORE, 0, 3, 0);
        SlotTurns turns = new SlotTurns(demands, 0);
        assertThat(turns.allMissing()).isEqualTo(103);
        assertThat(turns.turn(20)).isEqualTo(10);
        turns.take(10);
        assertThat(turns.group()).isEqualTo(1);
        assertThat(turns.turn(20)).isEqualTo(3);
        turns.skip();
        assertThat(turns.group()).isZero();
        assertThat(turns.turn(Long.MAX_VALUE)).isEqualTo(90);
    }
}
