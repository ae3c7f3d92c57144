package io.berth.simulator.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.simulator.job.JobShapes;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FreeRoomTest {

    private static final ResourceProfile ONE = JobShapes.SLOT;
    private static final ResourceProfile TWO = JobShapes.LARGE;
    private static final SortedMap<String, ResourceProfile> SIZES = new TreeMap<>(Map.of("default", ONE, "large", TWO));

    private static boolean holds(List<ResourceProfile> pieces, int small, int large) {
        return FreeRoom.of(pieces).holdsForSure(new TreeMap<>(Map.of("default", small, "large", large)), SIZES);
    }

    @Test
    void piecesThatAreTooSmallDoNotAddUp() {
        assertThat(FreeRoom.of(List.of(ONE, ONE, ONE)).fits(TWO)).isFalse();
        assertThat(holds(List.of(ONE, ONE, ONE), 0, 1)).isFalse();
        assertThat(holds(List.of(ONE, ONE, ONE), 3, 0)).isTrue();
        assertThat(holds(List.of(ONE, ONE, ONE), 4, 0)).isFalse();
    }

    @Test
    void slotsOfTwoSizesFindRoomOnlyIfTheyDoInEveryOrder() {
        assertThat(holds(List.of(TWO, ONE), 1, 1))
                .as("the small one may take the large piece")
                .isFalse();
        assertThat(holds(List.of(TWO, TWO), 1, 1)).isTrue();
        assertThat(holds(List.of(TWO.plus(TWO)), 2, 1)).isTrue();
        assertThat(holds(List.of(TWO.plus(TWO)), 3, 1)).isFalse();
    }

    @Test
    void zeroSlotsNeedNoRoom() {
        assertThat(holds(List.of(), 0, -1)).isTrue();
        assertThat(holds(List.of(TWO), -1, 1)).isTrue();
    }
}
