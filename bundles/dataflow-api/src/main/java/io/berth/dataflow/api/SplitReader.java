package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Reads one split, in steps. */
@ConsumerType
@SuppressWarnings("try")
public interface SplitReader<T> extends AutoCloseable {

    /**
     * Emits some records, about a hundred microseconds of work or as many as are available. Returns whether there may
     * be more. Between steps the task sends partly filled buffers, so a step should not wait long.
     */
    boolean step(Collector<T> out) throws Exception;

    @Override
    default void close() throws Exception {}
}
