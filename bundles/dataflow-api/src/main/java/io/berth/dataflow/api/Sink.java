package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Where records end. A sink whose output must appear once is a {@link CommittingSink}. */
@ConsumerType
public interface Sink<I> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /** One record, valid during the call. */
    void write(I record) throws Exception;

    /** No record will follow: everything written must be out of this process when this returns. */
    default void endOfInput() throws Exception {}
}
