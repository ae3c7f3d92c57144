package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * One instance of a matching strategy. The host opens one of the two sessions, once: placing for the ResourceManager,
 * assigning for JobMasters. At most one call runs at a time in an instance and in its session.
 */
@ConsumerType
public interface MatchingStrategy {

    /**
     * Opens a session on a numbered snapshot of the workers of a pool. {@link PlacementSession#delta} keeps the indexes
     * of a session up to date. The session keeps nothing else, so that the host can drop it and open another one at any
     * time.
     *
     * @param workers valid until the session is closed; the content changes only between calls
     */
    PlacementSession openPlacement(WorkersView workers);

    /**
     * Whether its placements look at the slots that jobs have ({@link AdmittedView#allocations}). Then it is also called
     * without entries: when something changed, or when it asked for a review. The answer is constant.
     */
    default boolean usesAllocations() {
        return false;
    }

    /**
     * Opens a session that assigns the slots of the pool's jobs. It keeps nothing between its calls that a result
     * depends on.
     */
    AssignmentSession openAssignment();
}
