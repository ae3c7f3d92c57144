package io.berth.dataflow.api;

import java.util.List;
import java.util.Optional;
import org.osgi.annotation.versioning.ProviderType;

/** Reads the part of a snapshot that belongs to this subtask. The runtime restores no snapshots yet. */
@ProviderType
public interface StateReader {

    /** What the subtasks of the snapshot wrote as {@code name}, in the order of subtasks. */
    List<RecordInput> operatorState(String name);

    /** What was written as {@code name} for {@code keyGroup}, which must belong to this subtask. */
    Optional<RecordInput> keyGroupState(String name, int keyGroup);
}
