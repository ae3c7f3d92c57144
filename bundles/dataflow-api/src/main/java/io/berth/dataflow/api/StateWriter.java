package io.berth.dataflow.api;

import org.osgi.annotation.versioning.ProviderType;

/** Takes what an operator writes into a snapshot. The runtime takes no snapshots yet. */
@ProviderType
public interface StateWriter {

    /** State of this subtask as a whole, by name; in a restore every subtask sees all of them. */
    RecordOutput operatorState(String name);

    /** State of one of this subtask's key groups, by name; it follows the group. */
    RecordOutput keyGroupState(String name, int keyGroup);
}
