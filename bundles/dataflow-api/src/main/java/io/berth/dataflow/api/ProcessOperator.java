package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** From each record none, one or several others: map, filter, flat map, or an aggregate at the end. */
@ConsumerType
public interface ProcessOperator<I, O> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /** One record, valid during the call. */
    void process(I record, Collector<O> out) throws Exception;

    /** No record will follow. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
