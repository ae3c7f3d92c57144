package io.berth.core.api.policy;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Plans slots for the demands of a pool. All methods are called on the main thread of the owner. */
public interface PlacementPlanner extends AutoCloseable {

    /**
     * Applies changes and makes a decision: admit, place, validate, in a bounded number of rounds. One at a time: the
     * owner waits for the outcome before it plans again. Changes are applied in any case. Never fails exceptionally.
     */
    CompletionStage<PlanOutcome> plan(PlanningInput input);

    /** The policy that is being asked for the plan under way; empty when none is. Any thread. */
    default Optional<PolicyIdentity> asked() {
        return Optional.empty();
    }

    /** Tells what of a plan was committed, for the record of the decision; before the next plan is asked for. */
    void committed(long decision, Commit commit);

    /** So many slots of a commit are told one by one; the others are counted, so that a large one costs no more. */
    int SLOTS_TOLD = 2_000;

    @Override
    void close();

    /**
     * How a plan was committed.
     *
     * @param slots that were requested from workers, the first {@link PlacementPlanner#SLOTS_TOLD} of them
     * @param more how many more were requested, and {@code moreHash} the sum of the {@link LedgerHash} of those
     * @param dropped what did not fit the present state any more, for people; empty: nothing
     * @param before the owner's ledger just before the commit, and {@code after} it
     * @param delayMicros from the moment when the decision was due to the end of the commit, by the owner's clock;
     *     time in which no policy was there to decide counts; at least 0, also for what was decided before it was due
     */
    record Commit(
            List<CommittedSlot> slots,
            long more,
            long moreHash,
            String dropped,
            LedgerState before,
            LedgerState after,
            long delayMicros) {

        public Commit {
            slots = List.copyOf(slots);
            if (slots.size() > SLOTS_TOLD) {
                throw new IllegalArgumentException(
                        "slots " + slots.size() + ": at most " + SLOTS_TOLD + " are told one by one");
            }
            if (delayMicros < 0) {
                throw new IllegalArgumentException("delayMicros " + delayMicros + ": a delay is at least 0");
            }
        }
    }
}
