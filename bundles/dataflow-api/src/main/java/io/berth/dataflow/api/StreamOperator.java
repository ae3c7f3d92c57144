package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What all operators share. The task's thread calls the {@code open} of the kind, its work, {@code
 * endOfInput} and at last, in any outcome, {@link #close}. Any exception fails the task.
 *
 * <p><b>A restart begins at zero.</b> There are no checkpoints yet: the runtime calls neither {@link
 * #snapshot} nor {@link #restore}. After a failure, and after a rescale, every operator is a new
 * object with empty state, and sources read their whole input again.
 */
@ConsumerType
public interface StreamOperator {

    /**
     * Writes what this operator must not lose; keyed state is written by the runtime. Not called
     * today: it is meant for checkpoints, which do not exist yet.
     */
    default void snapshot(StateWriter writer) throws Exception {}

    /**
     * Takes back what {@link #snapshot} wrote, before the operator is opened. Not called today: a
     * restart or a rescale begins without state.
     */
    default void restore(StateReader reader) throws Exception {}

    /** Gives back what the operator holds; called once, also after a failure or cancellation. */
    default void close() throws Exception {}
}
