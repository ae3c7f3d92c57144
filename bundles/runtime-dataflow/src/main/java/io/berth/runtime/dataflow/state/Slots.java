package io.berth.runtime.dataflow.state;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;

/** One state of all key groups of a subtask. */
sealed interface Slots<K> permits LongSlots, ValueSlots {

    void write(int group, RecordOutput out);

    void read(int group, RecordInput in);
}
