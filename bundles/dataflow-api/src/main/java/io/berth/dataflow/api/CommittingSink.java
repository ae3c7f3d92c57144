package io.berth.dataflow.api;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A sink that writes to a hidden place and publishes its output in one step. Each subtask returns a committable at the
 * end of its input. When all subtasks of the vertex have done so, one of them receives all committables.
 */
@ConsumerType
public interface CommittingSink<I> extends Sink<I> {

    /** Called after {@link #endOfInput}. Returns what {@link #commit} needs to publish the output of this subtask. */
    byte[] prepareCommit() throws Exception;

    /**
     * Publishes the output of all subtasks. Another attempt may call it again with the same committables; output that
     * is already published must not appear twice.
     */
    void commit(List<byte[]> committables) throws Exception;

    /**
     * Called after {@link #prepareCommit} in each subtask that has nothing to commit, when another subtask has published
     * the output, or an earlier execution of the job had: what this subtask has prepared and is still hidden is needed no
     * longer.
     */
    default void discard() throws Exception {}
}
