package io.berth.core.policies.frame;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;

/** Everything that went into one decision of the policy host, and what came out, so that it can be made again. */
public sealed interface RecordedDecision permits DecisionFrame, ScalingFrame, AssignmentFrame {

    /** Number of the decision; 0 when nothing was decided. */
    long decision();

    DecisionType type();

    /** The pool that it was made for; empty when it was made for a job. */
    String pool();
}
