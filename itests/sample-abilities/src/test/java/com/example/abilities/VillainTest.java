package com.example.abilities;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.RecordedPlacement;
import java.util.Map;
import org.junit.jupiter.api.Test;

class VillainTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    /** So that only a deadline stands between it and its result. */
    @Test
    void placesWhenItHasSpun() throws Exception {
        ArrayWorkersView workers = new ArrayWorkersView().worker(SLOT.times(2));
        long begun = System.nanoTime();
        RecordedPlacement plan = Placements.of(
                new Villain(),
                Map.of("spin", "20 ms"),
                workers,
                new ArrayAdmittedView(workers).add("a", SLOT, 2));
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(20_000_000);
        assertThat(plan.misuse()).isEmpty();
        assertThat(plan.placed(0)).isEqualTo(2);
    }
}
