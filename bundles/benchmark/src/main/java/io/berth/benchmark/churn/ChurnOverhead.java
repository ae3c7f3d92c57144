package io.berth.benchmark.churn;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.workload.Workload;

/** What {@link ChurnCalls} do around the strategy: its calls once more, with the answers of the strategy at hand. */
public final class ChurnAround implements Measuring.Subject {

    private final Workload workload;
    private final int calls;
    private final int changes;
    private final RecordedPlacements placements = new RecordedPlacements();
    /** Of a session that holds nothing. */
    @SuppressWarnings("NullAway.Init")
    private ChurnCalls again;

    public ChurnAround(Workload workload, String matching, int calls, int changes) {
        this.workload = workload;
        this.calls = calls;
        this.changes = changes;
        try (ChurnCalls noted = new ChurnCalls(
                workload, workers -> placements.noting(Policies.session(matching, workers)), calls, changes)) {
            noted.run();
        }
    }

    @Override
    public void restore() {
        again = new ChurnCalls(workload, workers -> placements.again(), calls, changes);
    }

    @Override
    public void run() {
        again.run();
    }
}
