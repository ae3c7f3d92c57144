package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/**
 * What all operators share. The task's thread calls {@code restore} (if there is something to
 * restore), the {@code open} of the kind, its work, {@code endOfInput} and at last, in any outcome,
 * {@link #close}. Any exception fails the task.
 */
@ConsumerType
public interface StreamOperator {

    /** Writes what this operator must not lose; keyed state is written by the runtime. */
    default void snapshot(StateWriter writer) throws Exception {}

    /** Takes back what {@link #snapshot} wrote, before the operator is opened. */
    default void restore(StateReader reader) throws Exception {}

    /** Gives back what the operator holds; called once, also after a failure or cancellation. */
    default void close() throws Exception {}
}
