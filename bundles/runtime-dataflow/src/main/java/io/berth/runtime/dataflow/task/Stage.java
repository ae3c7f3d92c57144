package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.StreamOperator;

/** One operator of a chain that receives records. Confined to the thread of the task. */
sealed interface Stage extends Collector<Object> permits ProcessStage, KeyedStage, SinkStage {

    OperatorName name();

    StreamOperator operator();

    void open() throws Exception;

    /** Ends the operator; what it emits then goes down the chain. */
    void endOfInput() throws Exception;

    /** Any thread. */
    long recordsIn();
}
