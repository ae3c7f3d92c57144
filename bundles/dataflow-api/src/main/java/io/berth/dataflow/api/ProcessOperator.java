package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Turns each record into any number of other records: map, filter, flat map, or an aggregate at the end. */
@ConsumerType
public interface ProcessOperator<I, O> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /** Processes one record, which is valid during the call. */
    void process(I record, Collector<O> out) throws Exception;

    /** No further record follows. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
