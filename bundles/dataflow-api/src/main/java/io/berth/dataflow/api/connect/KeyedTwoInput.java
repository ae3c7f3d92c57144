package io.berth.dataflow.api.connect;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.KeyedContext;
import io.berth.dataflow.api.StreamOperator;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Like {@link TwoInputOperator}, with state for each key that both inputs share. The records of a key, of both inputs, go to one
 * subtask.
 */
@ConsumerType
public interface KeyedTwoInput<K, A, B, O> extends StreamOperator {

    /** Called once, before any other call. The operator gets its states here. */
    void open(KeyedContext<K> context) throws Exception;

    /** Processes one record of the first input and its key. Both are valid during the call. States refer to this key. */
    void processFirst(K key, A record, Collector<O> out) throws Exception;

    /** Processes one record of the second input and its key. Both are valid during the call. States refer to this key. */
    void processSecond(K key, B record, Collector<O> out) throws Exception;

    /** No further record of the first input follows. */
    default void endOfFirst(Collector<O> out) throws Exception {}

    /** No further record of the second input follows. */
    default void endOfSecond(Collector<O> out) throws Exception {}

    /** Both inputs have ended. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
