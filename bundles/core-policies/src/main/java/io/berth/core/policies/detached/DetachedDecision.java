package io.berth.core.policies.detached;

import io.berth.core.api.policy.PlanOutcome;
import java.util.List;
import java.util.OptionalLong;

/**
 * A decision that a detached planner made.
 *
 * @param outcome of the decision; generations and the number are those of the frame where it has them
 * @param reviewMillis after how long the policies asked to be asked again
 * @param failures what policies did wrong in it, for people
 * @param micros how long it took, from the input until the plan
 * @param callMicros how much of it was spent in calls into policies
 */
public record DetachedDecision(
        PlanOutcome outcome, OptionalLong reviewMillis, List<String> failures, long micros, long callMicros) {

    public DetachedDecision {
        failures = List.copyOf(failures);
    }
}
