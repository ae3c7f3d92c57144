package io.berth.core.api.task;

import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ProviderType;

/** Services that the worker provides to a task. Methods may be called on any thread. */
@ProviderType
public interface TaskContext {

    /**
     * The factory service of an operator, first from the job's bundles, then from the built-in operators. Its type is
     * defined by the API of the runtime.
     */
    Optional<Object> operator(String name);

    /** Class loader for the thread of a task of that operator. */
    ClassLoader classLoader(String operator);

    /** The size of the slot that the task runs in, which it may share with other tasks of the job. */
    default ResourceProfile resources() {
        return ResourceProfile.UNKNOWN;
    }

    /** The secret of that name; empty if the worker has none. It must not get into logs or descriptions. */
    Optional<String> secret(String name);

    /**
     * Subtask 0 of a source reports all splits of its vertex once, after it has enumerated them. It repeats the call
     * when no answer comes.
     */
    CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits);

    /**
     * Requests the next split from the JobMaster, with at most one pending request for each vertex. After a failure, a
     * repeated request returns the split whose answer was lost.
     */
    CompletionStage<SplitAnswer> nextSplit(String vertex);

    /** The task is ready to commit and waits for {@link TaskHandle#commit}. Called at most once. */
    void readyToCommit(List<Committable> committables);

    /**
     * The task has to end, but a call to user code does not return. The worker cancels the task, and ends itself when that
     * does not help, because a thread cannot be ended from outside. Called at most once.
     *
     * @param cause text for people
     */
    default void stuck(String cause) {}

    /** Answer to a split request. */
    sealed interface SplitAnswer {

        /** The split to read. */
        record Assigned(byte[] split) implements SplitAnswer {}

        /** The splits are not enumerated yet; request again later. */
        record NotYet() implements SplitAnswer {}

        /** There are no more splits. */
        record Exhausted() implements SplitAnswer {}
    }

    /**
     * Output that a committing operator wrote under a temporary name.
     *
     * @param vertex of the operator
     * @param content in a format that the operator defines
     */
    record Committable(String vertex, byte[] content) {}
}
