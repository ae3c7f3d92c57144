package io.berth.core.policies.frame;

import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.pools.PastUse;
import java.util.Optional;

/**
 * A moment at which a planner counted what queues and submitters had used. It is part of the input, because sums of
 * floating-point numbers depend on their steps.
 *
 * @param restored a record of an earlier planner that was added
 * @param begunMillis wall-clock time at which this planner began
 */
public record UseMoment(DecisionTime time, Optional<PastUse> restored, long begunMillis) {

    /** Counts. Returns what was used; empty when neither queues nor submitters are counted. */
    public Optional<PastUse> applyTo(UnitTable units) {
        restored.ifPresent(record -> units.restore(record, begunMillis, time));
        return units.pastUse(time);
    }
}
