package io.berth.core.api.policy;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** Plans slots for the demands of a pool. All methods are called on the main thread of the owner. */
public interface PlacementPlanner extends AutoCloseable {

    /**
     * Applies changes and makes a decision: admit, place, validate, in a bounded number of rounds. One at a time: the
     * owner waits for the outcome before it plans again. Changes are applied in any case. Never fails exceptionally.
     */
    CompletionStage<PlanOutcome> plan(PlanningInput input);

    /** Tells what of a plan was committed, for the record of the decision. */
    void committed(long decision, List<CommittedSlot> slots, String dropped);

    @Override
    void close();
}
