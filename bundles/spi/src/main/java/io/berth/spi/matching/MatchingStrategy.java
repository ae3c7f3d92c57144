package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/** One instance of a matching strategy. At most one call runs in it, and in its session, at a time. */
@ConsumerType
public interface MatchingStrategy {

    /**
     * Opens a session on a numbered snapshot of the workers of a pool; called at most once for an instance. Indexes that
     * a session builds from it are kept right by {@link PlacementSession#delta}; it keeps nothing else, so that a
     * session can be dropped and opened anew at any time.
     *
     * @param workers the workers; valid until the session is closed, its content changes only between calls
     */
    PlacementSession open(WorkersView workers);

    /**
     * Assigns the slots that a job has to its requirements, each slot to at most one and each requirement at most as
     * many as it counts. Called on its own, without a session. What is not assigned stays unused. {@link SlotAssignment}
     * does it for a strategy that has no wishes of its own but an order of slots.
     *
     * @param input valid during the call only
     * @param result valid during the call only
     */
    void assign(AssignmentView input, AssignmentBuilder result);
}
