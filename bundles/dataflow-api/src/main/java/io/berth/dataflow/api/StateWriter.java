package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Writes an operator's state into a snapshot. The runtime takes no snapshots yet. */
@ProviderType
public interface StateWriter {

    /** State of this subtask as a whole, by name. At a restore, every subtask sees the state of all subtasks. */
    RecordOutput operatorState(String name);

    /** State of one key group of this subtask, by name. It moves with the key group. */
    RecordOutput keyGroupState(String name, int keyGroup);
}
