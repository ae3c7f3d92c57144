package io.berth.core.api.policy;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/** Plans slots for the demands of a pool. All methods are called on the main thread of the owner. */
public interface PlacementPlanner extends AutoCloseable {

    /**
     * Applies changes and makes a decision: admit, place and validate, in a limited number of rounds. The owner must
     * wait for the outcome before it plans again. Changes are applied in any case. The stage never fails.
     */
    CompletionStage<PlanOutcome> plan(PlanningInput input);

    /** The policy that is deciding now; empty when none is. May be called on any thread. */
    default Optional<PolicyIdentity> asked() {
        return Optional.empty();
    }

    /**
     * Whether the policy that decides looks at the slots that jobs have, so that inputs must list them from now on. The
     * owner asks before and after each plan.
     */
    default boolean usesSlots() {
        return false;
    }

    /**
     * Whether it counts what is used over time, so that it must learn soon of slots that the owner granted, and not only
     * with the next change.
     */
    default boolean countsUse() {
        return false;
    }

    /**
     * What units of a queue may still use before its limit, or that of a queue above it, is reached: at least 0, by
     * resource; one that is missing is not limited. Empty while the use is not known. It may be some seconds old. May be
     * called on any thread.
     */
    default Optional<SortedMap<String, Long>> queueRoom(String queue) {
        return Optional.empty();
    }

    /**
     * Reports what was committed of a plan, for the record of the decision. The owner calls this before it requests
     * the next plan.
     */
    void committed(long decision, Commit commit);

    /**
     * Maximum number of slots that a commit lists. Further slots are only counted, to limit the cost of a large
     * commit.
     */
    int MAX_LISTED_SLOTS = 2_000;

    @Override
    void close();

    /**
     * How a plan was committed.
     *
     * @param slots slots that were requested from workers, at most {@link PlacementPlanner#MAX_LISTED_SLOTS} of them
     * @param more number of further requested slots; {@code moreHash}: the sum of their {@link LedgerHash}
     * @param dropped what no longer fitted the current state, for people; empty when everything fitted
     * @param before the owner's ledger just before the commit; {@code after}: just after it
     * @param delayMicros time from when the decision was due until the end of the commit, by the owner's clock. It
     *     includes time without a policy that could decide. At least 0, also for a decision that was made before it
     *     was due
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
            if (slots.size() > MAX_LISTED_SLOTS) {
                throw new IllegalArgumentException(
                        "slots " + slots.size() + ": at most " + MAX_LISTED_SLOTS + " are listed");
            }
            if (delayMicros < 0) {
                throw new IllegalArgumentException("delayMicros " + delayMicros + ": a delay is at least 0");
            }
        }
    }
}
