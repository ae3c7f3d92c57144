package io.berth.dataflow.api.connect;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.OperatorContext;
import io.berth.dataflow.api.StreamOperator;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * An operator with two inputs of different types. Records of both arrive in the order of each edge; between the inputs there is
 * no order. An edge of the job description says with {@code input: 2} that it leads to the second one.
 */
@ConsumerType
public interface TwoInputOperator<A, B, O> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /** Processes one record of the first input, which is valid during the call. */
    void processFirst(A record, Collector<O> out) throws Exception;

    /** Processes one record of the second input, which is valid during the call. */
    void processSecond(B record, Collector<O> out) throws Exception;

    /** No further record of the first input follows. */
    default void endOfFirst(Collector<O> out) throws Exception {}

    /** No further record of the second input follows. */
    default void endOfSecond(Collector<O> out) throws Exception {}

    /** Both inputs have ended. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
