package io.berth.core.api.policy;

import io.berth.core.api.job.JobGraph;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Lets the owners of state have their decisions made by policies. Policies run in guarded threads: no call here blocks,
 * outcomes come on a thread of the host, and the owner goes back to its main thread by itself.
 */
public interface PolicyHost {

    /**
     * Opens a planner for the workers and demands of a pool: distribution policy and matching strategy together.
     *
     * @param ledger the owner's ledger as it is; asked on any thread, must not block
     * @param changed called, on any thread, when another policy decides from now on, or one is there again
     */
    PlacementPlanner openPlanner(String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed);

    /** As above, for an owner that keeps no ledger. */
    default PlacementPlanner openPlanner(String pool, MatchingRule rule, Runnable changed) {
        return openPlanner(pool, rule, () -> LedgerState.NONE, changed);
    }

    /**
     * Opens the scaling of a job.
     *
     * @param changed as for {@link #openPlanner}
     */
    ScalingAdvisor openScaling(JobGraph job, Runnable changed);

    /** Assigns the slots of a job to its requirements, by the matching strategy of its pool. */
    CompletionStage<AssignmentOutcome> assign(AssignmentQuery query);
}
