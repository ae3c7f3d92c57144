package com.example.abilities;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.spi.ResourceProfile;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.MatchingStrategyContract;
import io.berth.testkit.RecordedPlacement;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FilterTest {

    private static final ResourceProfile SLOT = ResourceProfile.of(1_000, 1_000);

    @Test
    void excludesWithAReason() throws Exception {
        ArrayWorkersView workers = new ArrayWorkersView()
                .worker(SLOT.times(4))
                .worker(SLOT.times(4))
                .label(0, "kernel", "old");
        RecordedPlacement plan = new RecordedPlacement(workers);
        Filter filter = new Filter();
        try (PlacementSession session = filter.create(
                        FixedConfiguration.of(filter.describe(), Map.of()), FixedContext.of("pool default"))
                .openPlacement(workers)) {
            session.place(new ArrayAdmittedView(workers).add("a", SLOT, 2), plan);
        }
        assertThat(plan.on(0)).isZero();
        assertThat(plan.on(1)).isEqualTo(2);
        assertThat(plan.excluded(0)).containsOnly(Map.entry(0, "its kernel is too old"));
    }

    @Test
    void asksForNothing() throws Exception {
        MatchingStrategyContract contract = Filter::new;
        contract.asksToBeCalledAgainOnlyNowAndThen();
        contract.reservesRoomOnlyForALimitedTime();
    }
}
