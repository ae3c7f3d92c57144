package io.berth.benchmark.decision;

import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome.Planned;

/** Reads the placements of a plan. Only this class knows how a plan stores them. */
public final class Plans {

    /** Receives one run of slots. */
    public interface Run {
        void of(int unit, int group, int worker, int count);
    }

    private Plans() {}

    public static void forEach(Planned plan, Run taker) {
        PlacementRuns runs = plan.runs();
        for (int run = 0; run < runs.size(); run++) {
            taker.of(runs.unit(run), runs.group(run), runs.worker(run), runs.count(run));
        }
    }
}
