package io.berth.dataflow.api;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/** The start of the stream of records. Its input is cut into splits that the JobMaster assigns to subtasks. */
@ConsumerType
public interface Source<T> extends StreamOperator {

    /** Called once, before any other call. */
    default void open(OperatorContext context) throws Exception {}

    /**
     * All splits, in the order of assignment. Called in only one subtask of the vertex. Each split is at most 64 KiB
     * of bytes that {@link #read} of any subtask understands.
     */
    List<byte[]> enumerateSplits() throws Exception;

    /** Opens one split. */
    SplitReader<T> read(byte[] split) throws Exception;

    /**
     * Whether a task may be given its next split while it still reads one, so that it does not wait for the answer. This is the
     * default. A source whose splits do not end, or that has one for each subtask, answers false: otherwise a task would hold a
     * split that it never begins to read. Called once, after {@link #open}.
     */
    default boolean asksAhead() {
        return true;
    }
}
