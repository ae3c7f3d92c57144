package io.berth.core.api.policy;

import io.berth.core.api.job.JobGraph;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/**
 * Makes decisions with policies for the owners of state. Policies run on guarded threads, so no call here blocks.
 * Outcomes come on a thread of the host, and the owner must return to its main thread itself.
 */
public interface PolicyHost {

    /**
     * Opens a planner for the workers and requirements of a pool. It uses a distribution policy and a matching
     * strategy.
     *
     * @param ledger returns the owner's current ledger; called on any thread, must not block
     * @param changed called on any thread when another policy decides from now on, or a policy is available again
     */
    PlacementPlanner openPlanner(String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed);

    /** Opens a planner for an owner that keeps no ledger. */
    default PlacementPlanner openPlanner(String pool, MatchingRule rule, Runnable changed) {
        return openPlanner(pool, rule, () -> LedgerState.NONE, changed);
    }

    /** The pools in their order; the default pool is the last one. Thread-safe. */
    default List<PoolDefinition> poolDefinitions() {
        return List.of(PoolDefinition.DEFAULT);
    }

    /**
     * Follows the definitions of pools until the result is closed.
     *
     * @param changed called on any thread when {@link #poolDefinitions} changed; must not block
     */
    default AutoCloseable followPools(Runnable changed) {
        return () -> {};
    }

    /**
     * Opens the scaling advisor of a job.
     *
     * @param changed as for {@link #openPlanner}
     */
    ScalingAdvisor openScaling(JobGraph job, Runnable changed);

    /** Assigns the slots of a job to its requirements with the matching strategy of its pool. */
    CompletionStage<AssignmentOutcome> assign(AssignmentQuery query);
}
