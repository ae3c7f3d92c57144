package io.berth.dataflow.api;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Gives back what a snapshot holds for this subtask. The runtime restores no snapshots yet. */
@ProviderType
public interface StateReader {

    /** What the subtasks of the snapshot wrote under {@code name}, in the order of subtasks. */
    List<RecordInput> operatorState(String name);

    /** What was written for {@code keyGroup}, one of this subtask's, under {@code name}. */
    Optional<RecordInput> keyGroupState(String name, int keyGroup);
}
