package io.berth.runtime.dataflow.task;

import io.berth.dataflow.api.Collector;

/** What a stage with two inputs has beside its first one. It is the head of its chain. Confined to the thread of the task. */
sealed interface TwoInputs permits TwoInputStage, KeyedTwoInputStage {

    /** Takes the records of the second input. */
    Collector<Object> second();

    /** The input of this number, 1 or 2, has ended. */
    void endOf(int input) throws Exception;
}
