package io.berth.core.api.task;

import io.berth.core.api.task.TaskContext.Committable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.osgi.annotation.versioning.ConsumerType;

/** A task that was started. A runtime implements it; the worker calls it on its main thread, so methods must not block. */
@ConsumerType
public interface TaskHandle {

    /** Stops the task soon. Its outcome is {@code Canceled}, unless it ends in another way before. */
    void cancel();

    /**
     * Commits the output of whole vertices. Call this only for a task that is ready to commit, and for only one task
     * of each vertex. A task that is never ready to commit needs no implementation.
     *
     * @param committables of all subtasks of the vertices that this task commits; empty: other tasks commit, and this
     *     task only ends
     */
    default void commit(List<Committable> committables) {}

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
         * @param stack stack trace of the exception, bounded by {@link #MAX_STACK} in the same way; empty when there is none
         * @param lost the stored result that the task could not read: it is gone, damaged, or its worker cannot be
         *     reached
         */
        record Failed(String cause, FailureKind kind, String stack, Optional<PartitionId> lost) implements Outcome {

            /** Maximum length of a cause, in characters. */
            public static final int MAX_CAUSE = 4_000;
            /** Maximum length of a stack trace, in characters. */
            public static final int MAX_STACK = 8_000;

            public Failed {
                cause = bounded(cause, MAX_CAUSE);
                stack = bounded(stack, MAX_STACK);
            }

            /** Without a lost result. */
            public Failed(String cause, FailureKind kind, String stack) {
                this(cause, kind, stack, Optional.empty());
            }

            /** Without a stack trace. */
            public Failed(String cause, FailureKind kind) {
                this(cause, kind, "");
            }

            private static String bounded(String text, int max) {
                int kept = max / 2 - 50;
                int end = text.length() - kept;
                return text.length() <= max
                        ? text
                        : text.substring(0, kept) + " ... (" + (end - kept) + " characters are left out; the log of"
                                + " the worker has them) ... " + text.substring(end);
            }
        }
    }
}
