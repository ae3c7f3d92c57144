package io.berth.core.policies.frame;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.PoolState;
import io.berth.core.policies.pools.PastUse;
import io.berth.core.policies.pools.PoolSettings;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Everything that went into one decision of a pool, and what came out. There is a frame for each input of a planner, also
 * when nothing was to be decided, so that the frames of a planner carry its whole state. Immutable; shares the input and
 * the plan with their owners.
 *
 * @param pool name of the pool
 * @param sequence number of the frame, from 0 for each planner, without gaps
 * @param before the state before the input; empty unless an observer needed it. The first frame of a planner has one
 * @param uses when use was counted since the previous frame
 * @param open numbers of the generations that were open when the input was applied
 * @param moment the time of the decision, and what else does not depend on the pool
 * @param settings of the pool
 * @param input what changed
 * @param restored what was used before the planner began; only in its first frame
 * @param distribution what happened with distribution policies; empty when none was needed
 * @param matching what happened with matching strategies; empty when none was needed
 * @param result of the decision
 */
public record DecisionFrame(
        String pool,
        long sequence,
        Optional<PoolState> before,
        List<UseMoment> uses,
        List<Long> open,
        Moment moment,
        PoolSettings settings,
        PlanningInput input,
        Optional<PastUse> restored,
        List<PolicyStep> distribution,
        List<PolicyStep> matching,
        Result result)
        implements RecordedDecision {

    public DecisionFrame {
        uses = List.copyOf(uses);
        open = List.copyOf(open);
        distribution = List.copyOf(distribution);
        matching = List.copyOf(matching);
    }

    /**
     * When the decision was made.
     *
     * @param zone id of the time zone
     * @param leftOutMillis how long a strategy may leave out a minimum with a reason
     */
    public record Moment(DecisionTime time, String zone, long leftOutMillis) {}

    /**
     * What was decided.
     *
     * @param reviewMillis after how long policies asked to be asked again
     * @param micros how long it took, from the input until the plan
     */
    public record Result(PlanOutcome outcome, OptionalLong reviewMillis, long micros) {}

    @Override
    public DecisionType type() {
        return DecisionType.PLACEMENT;
    }

    @Override
    public long decision() {
        return result.outcome() instanceof PlanOutcome.Planned planned ? planned.decision() : 0;
    }

    /** The last instance of the steps, which is the one that decided. */
    public static Optional<FramedPolicy> decider(List<PolicyStep> steps) {
        Optional<FramedPolicy> last = Optional.empty();
        for (PolicyStep step : steps) {
            if (step instanceof PolicyStep.Taken taken) {
                last = Optional.of(taken.policy());
            }
        }
        return last;
    }
}
