package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** The end of the stream of records. A sink whose output must appear exactly once is a {@link CommittingSink}. */
@ConsumerType
public interface Sink<I> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /** Writes one record, which is valid during the call. */
    void write(I record) throws Exception;

    /**
     * Called between two records, also when none come, some times a second. For what is due after a time: it must be quick when
     * nothing is.
     */
    default void betweenRecords() throws Exception {}

    /** No further record follows. When this returns, everything written must have left this process. */
    default void endOfInput() throws Exception {}
}
