package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Like {@link ProcessOperator}, with state for each key; all records of a key come to one subtask. */
@ConsumerType
public interface KeyedProcess<K, I, O> extends StreamOperator {

    /** Called once, before any other call; here the operator asks for its states. */
    void open(KeyedContext<K> context) throws Exception;

    /** One record and its key, both valid during the call; states stand at this key. */
    void process(K key, I record, Collector<O> out) throws Exception;

    /** No record will follow. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
