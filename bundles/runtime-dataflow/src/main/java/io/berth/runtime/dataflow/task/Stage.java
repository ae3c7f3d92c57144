package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.StreamOperator;

/** One operator that takes records, within a chain. For the task's thread. */
sealed interface Stage extends Collector<Object> permits ProcessStage, KeyedStage, SinkStage {

    OperatorName name();

    StreamOperator operator();

    void open() throws Exception;

    /** The operator's last word; what it emits goes on down the chain. */
    void endOfInput() throws Exception;

    long recordsIn();
}
