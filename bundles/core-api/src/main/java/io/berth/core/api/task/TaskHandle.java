package io.berth.core.api.task;

import io.berth.core.api.task.TaskContext.Committable;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** A task that was started. */
public interface TaskHandle {

    /** Stops the task soon; its outcome is {@code Canceled} unless it ended otherwise before. */
    void cancel();

    /**
     * Commits the output of whole vertices. Only to a task that is ready to commit, and for each vertex to one task.
     *
     * @param committables of all subtasks of the vertices of this task that are to be committed here; empty: others
     *     commit, this task just ends
     */
    void commit(List<Committable> committables);

    /** Completes once, never exceptionally, when nothing of the task runs any more and its resources are returned. */
    CompletionStage<Outcome> outcome();

    /** Counters as they are now. */
    TaskMetrics metrics();

    /** How a task ended. */
    sealed interface Outcome {

        record Finished() implements Outcome {}

        record Canceled() implements Outcome {}

        /**
         * @param cause for people; no foreign exception object is kept. User code may throw a text of any length, and this
         *     one travels and is kept: of a longer one than {@link #MAX_CAUSE} characters the middle is left out
         */
        record Failed(String cause, FailureKind kind) implements Outcome {

            /** Longest cause. */
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
