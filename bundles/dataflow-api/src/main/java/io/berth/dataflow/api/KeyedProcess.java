package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ConsumerType;

/** Like {@link ProcessOperator}, with state for each key. All records of a key go to one subtask. */
@ConsumerType
public interface KeyedProcess<K, I, O> extends StreamOperator {

    /** Called once, before any other call. The operator gets its states here. */
    void open(KeyedContext<K> context) throws Exception;

    /** Processes one record and its key. Both are valid during the call. States refer to this key. */
    void process(K key, I record, Collector<O> out) throws Exception;

    /** No further record follows. */
    default void endOfInput(Collector<O> out) throws Exception {}
}
