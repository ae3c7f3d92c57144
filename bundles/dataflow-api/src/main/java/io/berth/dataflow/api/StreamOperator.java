package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What all operators share. The thread of the task calls {@code open}, then the methods that process records, then
 * {@code endOfInput} and finally, whatever happened, {@link #close}. Every exception fails the task.
 *
 * <p><b>A restart begins from scratch.</b> There are no checkpoints yet: the runtime calls neither {@link #snapshot}
 * nor {@link #restore}. After a failure or a rescale, every operator is a new object with empty state, and sources
 * read their whole input again.
 */
@ConsumerType
public interface StreamOperator {

    /**
     * Writes the state that this operator must not lose; the runtime writes keyed state. It is not called today. It is
     * meant for checkpoints, which do not exist yet.
     */
    default void snapshot(StateWriter writer) throws Exception {}

    /**
     * Restores what {@link #snapshot} wrote, before the operator is opened. It is not called today: a restart or a
     * rescale begins without state.
     */
    default void restore(StateReader reader) throws Exception {}

    /** Releases what the operator holds. Called once, also after a failure or cancellation. */
    default void close() throws Exception {}
}
