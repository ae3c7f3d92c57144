package io.berth.core.api.task;

import io.berth.core.api.task.TaskContext.Committable;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A task that was started. */
public interface TaskHandle {

    /** Stops the task soon. Its outcome is {@code Canceled}, unless it ends in another way before. */
    void cancel();

    /**
     * Commits the output of whole vertices. Call this only for a task that is ready to commit, and for only one task
     * of each vertex.
     *
     * @param committables of all subtasks of the vertices that this task commits; empty: other tasks commit, and this
     *     task only ends
     */
    void commit(List<Committable> committables);

    /** Completes when nothing of the task runs and its resources are returned. Never fails. */
    CompletionStage<Outcome> outcome();

    /** The current counters. */
    TaskMetrics metrics();

    /** How a task ended. */
    sealed interface Outcome {

        record Finished() implements Outcome {}

        record Canceled() implements Outcome {}

        /**
         * @param cause text for people, because exception objects of user code must not be kept. The text is stored
         *     and sent to other processes, so the middle of a text with more than {@link #MAX_CAUSE} characters is
         *     left out
         */
        record Failed(String cause, FailureKind kind) implements Outcome {

            /** Maximum length of a cause, in characters. */
            public static final int MAX_CAUSE = 4_000;

            private static final int KEPT = MAX_CAUSE / 2 - 50;

            public Failed {
                if (cause.length() > MAX_CAUSE) {
                    int end = cause.length() - KEPT;
                    cause = cause.substring(0, KEPT) + " ... (" + (end - KEPT) + " characters are left out; the log of"
                            + " the worker has them) ... " + cause.substring(end);
                }
            }
        }
    }
}
