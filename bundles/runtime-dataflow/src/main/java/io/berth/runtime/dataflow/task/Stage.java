package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.StreamOperator;

/** One operator of a chain that receives records. Confined to the thread of the task. */
sealed interface Stage extends Collector<Object>
        permits ProcessStage, KeyedStage, SinkStage, TwoInputStage, KeyedTwoInputStage {

    OperatorName name();

    StreamOperator operator();

    void open() throws Exception;

    /** Ends the operator; what it emits then goes down the chain. */
    void endOfInput() throws Exception;

    /** Between two records, some times a second, also when none come. */
    default void betweenRecords() throws Exception {}

    /** Any thread. */
    long recordsIn();
}
