package io.berth.dataflow.api;

import java.util.OptionalLong;
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

    /**
     * How many records remain in the split, at least 0; an estimate is enough. Empty when the reader does not know, as by
     * default. Called between steps, some ten times a second, so it must be quick. Scaling policies see the sum over the
     * tasks of the source, unless one of them does not know, and so do users.
     */
    default OptionalLong recordsLeft() {
        return OptionalLong.empty();
    }

    /**
     * How far the reader lags behind the newest record of its source, in milliseconds, at least 0; empty when it does not
     * know, as by default. Called between steps, some ten times a second, so it must be quick.
     */
    default OptionalLong lagMillis() {
        return OptionalLong.empty();
    }

    @Override
    default void close() throws Exception {}
}
