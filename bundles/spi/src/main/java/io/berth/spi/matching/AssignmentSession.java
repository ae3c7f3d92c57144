package io.berth.spi.matching;

import org.osgi.annotation.versioning.ConsumerType;

/** Assigns the slots of jobs to their requirements. All calls come one at a time, on a guarded thread. */
@ConsumerType
public interface AssignmentSession extends AutoCloseable {

    /**
     * Assigns the slots that a job has to its requirements: each slot to at most one requirement, and to each
     * requirement at most as many slots as it requests. Slots that are not assigned stay unused. The calls are about
     * different jobs of the pool, and independent of each other.
     *
     * @param input valid during the call only
     * @param result valid during the call only
     */
    void assign(AssignmentView input, AssignmentBuilder result);

    /**
     * Drops the session: another policy decides, its configuration changed, it failed, or its owner ended. It is the
     * last call, and it is skipped after a call that hung. Must not throw.
     */
    @Override
    default void close() {}
}
