package io.berth.dataflow.api;

import java.util.List;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * A sink that writes where nobody looks and shows its output in one step. Each subtask gives a
 * committable at the end of its input; when all subtasks of the vertex have, one of them is called
 * with all committables.
 */
@ConsumerType
public interface CommittingSink<I> extends Sink<I> {

    /** After {@link #endOfInput}: what {@link #commit} needs to show this subtask's output. */
    byte[] prepareCommit() throws Exception;

    /**
     * Shows the output of all subtasks. May be called again with the same committables, by another
     * attempt: then what is shown already stays shown once.
     */
    void commit(List<byte[]> committables) throws Exception;
}
