package io.berth.benchmark.churn;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.workload.Workload;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedPlacementsTest {

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void callsMadeAgainPlaceWhatTheStrategyPlaced(String policy) {
        // More slots than there is room for: how many wait at the end depends on where each of them was placed.
        Workload workload = Workload.of(20, 200, 7, 3, 1, 1.1, false);
        RecordedPlacements placements = new RecordedPlacements();
        int left;
        try (ChurnCalls noted =
                new ChurnCalls(workload, workers -> placements.recording(Policies.session(policy, workers)), 50, 3)) {
            noted.run();
            left = noted.unplaced();
        }
        try (ChurnCalls again = new ChurnCalls(workload, workers -> placements.replaying(), 50, 3)) {
            again.run();
            assertThat(again.unplaced()).isEqualTo(left).isPositive();
        }
    }
}
