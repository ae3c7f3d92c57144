package io.berth.dataflow.api;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** Where records come from, cut into splits that the JobMaster assigns to subtasks. */
@ConsumerType
public interface Source<T> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /**
     * All splits, in the order of assignment. Called in one subtask of the vertex only; each split is
     * bytes that {@link #read} of any other subtask understands, at most 64 KiB.
     */
    List<byte[]> enumerateSplits() throws Exception;

    /** Opens one split. */
    SplitReader<T> read(byte[] split) throws Exception;
}
