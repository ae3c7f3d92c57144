package io.berth.core.resources.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FreeRoomTest {

    private static ResourceProfile any(Random random, int most, boolean extended) {
        Map<String, Long> more = extended ? Map.of("gpu", (long) random.nextInt(most)) : Map.of();
        return new ResourceProfile(
                random.nextInt(most),
                random.nextInt(most),
                random.nextInt(most),
                random.nextInt(most),
                new TreeMap<>(more));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void whatIsTakenAndGivenBackAddsUpAsProfilesDo(long seed) {
        Random random = new Random(seed);
        ResourceProfile model = any(random, 10_000, seed % 2 == 0);
        FreeRoom room = new FreeRoom(model);
        List<ResourceProfile> taken = new ArrayList<>();
        for (int step = 0; step < 5_000; step++) {
            ResourceProfile slot = any(random, 500, random.nextBoolean());
            int most = 1 + random.nextInt(9);
            int fits = room.fits(slot, most);
            assertThat(fits).isEqualTo((int) Math.min(most, FreeRoom.quotient(model, slot)));
            if (random.nextInt(10) < 6 && fits > 0) {
                room.take(slot, fits);
                for (int each = 0; each < fits; each++) {
                    model = model.minus(slot);
                    taken.add(slot);
                }
            } else if (!taken.isEmpty()) {
                ResourceProfile back = taken.remove(random.nextInt(taken.size()));
                room.give(back);
                model = model.plus(back);
            }
            assertThat(room.cpuMillis()).isEqualTo(model.cpuMillis());
            assertThat(room.memoryBytes()).isEqualTo(ClusterSums.memory(model));
            if (random.nextInt(3) == 0) {
                assertThat(room.profile()).isEqualTo(model);
            }
        }
        assertThat(room.profile()).isEqualTo(model);
    }

    @Test
    void aProfileIsMadeOnceHoweverOftenItIsLookedAt() {
        FreeRoom room = new FreeRoom(ResourceProfile.of(4_000, 4_000));
        room.take(ResourceProfile.of(1_000, 1_000), 2);

        assertThat(room.profile()).isSameAs(room.profile()).isEqualTo(ResourceProfile.of(2_000, 2_000));
    }

    @Test
    void whatNeedsAnExtendedResourceDoesNotFitWhereThereIsNone() {
        FreeRoom room = new FreeRoom(ResourceProfile.of(4_000, 4_000));

        assertThat(room.fits(new ResourceProfile(1, 1, 0, 0, new TreeMap<>(Map.of("gpu", 1L))), 5))
                .isZero();
        assertThat(room.fits(ResourceProfile.UNKNOWN, 5)).isZero();
    }
}
