package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a matching strategy. At most one call runs at a time in it and in its session. */
@ConsumerType
public interface MatchingStrategy {

    /**
     * Opens a session on a numbered snapshot of the workers of a pool. Called at most once for an instance. {@link
     * PlacementSession#delta} keeps the indexes of a session up to date. The session keeps nothing else, so that the
     * host can drop it and open another one at any time.
     *
     * @param workers valid until the session is closed; the content changes only between calls
     */
    PlacementSession open(WorkersView workers);

    /**
     * Assigns the slots that a job has to its requirements: each slot to at most one requirement, and to each
     * requirement at most as many slots as it requests. Called without a session. Slots that are not assigned stay
     * unused. A strategy that only has an order of slots uses {@link SlotAssignment}.
     *
     * @param input valid during the call only
     * @param result valid during the call only
     */
    void assign(AssignmentView input, AssignmentBuilder result);
}
