package com.example.abilities;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import io.berth.testkit.ArrayAdmittedView;
import io.berth.testkit.ArrayWorkersView;
import io.berth.testkit.FixedConfiguration;
import io.berth.testkit.FixedContext;
import io.berth.testkit.RecordedPlacement;
import java.util.Map;

/** One decision of a strategy. */
final class Placements {

    private Placements() {}

    static RecordedPlacement of(
            MatchingStrategyFactory factory,
            Map<String, String> configuration,
            ArrayWorkersView workers,
            ArrayAdmittedView admitted)
            throws InvalidConfigurationException {
        RecordedPlacement plan = new RecordedPlacement(workers);
        try (PlacementSession session = factory.create(
                        FixedConfiguration.of(factory.describe(), configuration), FixedContext.of("pool default"))
                .openPlacement(workers)) {
            session.place(admitted, plan);
            plan.end();
        }
        return plan;
    }
}
