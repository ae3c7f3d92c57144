package io.berth.core.policies.detached;

import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome.Decided;
import java.util.List;
import java.util.Optional;

/**
 * What a scaling decision does, whatever its reason. Two decisions agree if this is equal.
 *
 * @param desired parallelism to declare for each vertex
 * @param feasible with the current slots; empty when there is none
 * @param accepted whether the job restarts at it now
 */
public record PlannedScaling(List<Integer> desired, Optional<List<Integer>> feasible, boolean accepted) {

    public PlannedScaling {
        desired = List.copyOf(desired);
        feasible = feasible.map(List::copyOf);
    }

    /** What a decision does. */
    public static PlannedScaling of(Decided decided) {
        return new PlannedScaling(decided.desired(), decided.feasible().parallelism(), decided.accepted());
    }
}
