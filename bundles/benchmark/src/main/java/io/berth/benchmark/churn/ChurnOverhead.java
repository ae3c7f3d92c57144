package io.berth.benchmark.churn;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.workload.Workload;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.MatchingStrategyFactory;

/** The cost of {@link ChurnCalls} outside the strategy: the same calls again, with recorded answers of the strategy. */
public final class ChurnOverhead implements Measuring.Subject {

    private final Workload workload;
    private final int calls;
    private final int changes;
    private final RecordedPlacements placements = new RecordedPlacements();
    /** Of a session that keeps nothing. */
    @SuppressWarnings("NullAway.Init")
    private ChurnCalls again;

    public ChurnOverhead(Workload workload, ChosenPolicy<MatchingStrategyFactory> matching, int calls, int changes) {
        this.workload = workload;
        this.calls = calls;
        this.changes = changes;
        try (ChurnCalls noted = new ChurnCalls(
                workload, workers -> placements.recording(Policies.session(matching, workers)), calls, changes)) {
            noted.run();
        }
    }

    @Override
    public void restore() {
        again = new ChurnCalls(workload, workers -> placements.replaying(), calls, changes);
    }

    @Override
    public void run() {
        again.run();
    }
}
