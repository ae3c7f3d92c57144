package io.berth.core.policies.frame;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.policies.cache.DecisionTime;
import java.util.List;

/**
 * Everything that went into one assignment of slots to the requirements of a job, and what came out. Each frame is
 * complete: it does not depend on earlier ones. Queries in which a strategy has no choice have none. Immutable.
 *
 * @param time of the decision
 * @param zone id of the time zone
 * @param matching what happened with matching strategies
 * @param outcome of the decision
 * @param micros how long it took
 */
public record AssignmentFrame(
        DecisionTime time,
        String zone,
        AssignmentQuery query,
        List<PolicyStep> matching,
        AssignmentOutcome outcome,
        long micros)
        implements RecordedDecision {

    public AssignmentFrame {
        matching = List.copyOf(matching);
    }

    @Override
    public long decision() {
        return outcome instanceof AssignmentOutcome.Assigned assigned ? assigned.decision() : 0;
    }

    @Override
    public DecisionType type() {
        return DecisionType.ASSIGNMENT;
    }

    @Override
    public String pool() {
        return query.pool();
    }
}
