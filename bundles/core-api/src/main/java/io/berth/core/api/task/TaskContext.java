package io.berth.core.api.task;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** What the worker gives to a task. Methods may be called on any thread. */
public interface TaskContext {

    /**
     * The factory service of an operator, from the job's bundles first, then from the built-in ones; its type is that of
     * the runtime's API.
     */
    Optional<Object> operator(String name);

    /** Class loader for the thread of a task of that operator. */
    ClassLoader classLoader(String operator);

    /**
     * The source task of index 0 reports all splits of its vertex once, after enumerating them. To be repeated when no
     * answer came.
     */
    CompletionStage<Void> reportSplits(String vertex, List<byte[]> splits);

    /**
     * Asks the JobMaster for the next split, one question at a time for each vertex. Asked again after a failure, it brings
     * the split whose answer was lost.
     */
    CompletionStage<SplitAnswer> nextSplit(String vertex);

    /** The task is ready to commit and waits for {@link TaskHandle#commit}. Called at most once. */
    void readyToCommit(List<Committable> committables);

    /** Answer to a request for a split. */
    sealed interface SplitAnswer {

        /** Read this. */
        record Assigned(byte[] split) implements SplitAnswer {}

        /** Not enumerated yet: ask again a little later. */
        record NotYet() implements SplitAnswer {}

        /** There are no more. */
        record Exhausted() implements SplitAnswer {}
    }

    /**
     * What a committing operator wrote under a temporary name.
     *
     * @param vertex of the operator
     * @param content in a form that the operator itself defines
     */
    record Committable(String vertex, byte[] content) {}
}
