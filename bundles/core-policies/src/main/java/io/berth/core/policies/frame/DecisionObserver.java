package io.berth.core.policies.frame;

import io.berth.spi.JobId;

/**
 * Sees the decisions of the policy host. Planners and other deciders call it on their main threads, so it must return at
 * once: it hands the frame to a thread of its own, and drops it when that one cannot keep up. A decider never waits for an
 * observer, and an exception of an observer is logged and has no other effect.
 *
 * <p>An observer that missed a frame of a pool cannot use the next one ({@link DecisionFrame#sequence} shows it), and asks for the
 * whole state with {@link #needsState}.
 */
public interface DecisionObserver {

    /**
     * Whether the next frame of the pool must contain the state before it. That costs the planner a reference for each
     * worker, unit and slot. A frame may contain one that this observer did not ask for.
     */
    boolean needsState(String pool);

    /** A decision of a pool was made. The owner does not know its outcome yet. */
    void decided(DecisionFrame frame);

    /** A scaling decision of a job was made. The owner does not know its outcome yet. */
    default void scaled(ScalingFrame frame) {}

    /** A job has ended: no scaling decision of it follows. */
    default void ended(JobId job) {}

    /** Slots of a job were assigned. The owner does not know the outcome yet. */
    default void assigned(AssignmentFrame frame) {}

    /** Whether inputs of the pool should list the slots that jobs have, although the deciding strategy does not look. */
    default boolean usesSlots(String pool) {
        return false;
    }
}
