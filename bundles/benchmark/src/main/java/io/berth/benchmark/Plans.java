package io.berth.benchmark;

import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanOutcome.Planned;

/** Reads the placements of a plan: the one place that knows how a plan keeps them. */
final class Plans {

    /** Takes one run of slots. */
    interface Run {
        void of(int unit, int group, int worker, int count);
    }

    private Plans() {}

    static void forEach(Planned plan, Run run) {
        for (Placement placement : plan.placements()) {
            run.of(placement.unit(), placement.group(), placement.worker(), placement.count());
        }
    }
}
