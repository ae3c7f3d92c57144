package io.berth.core.api.job;

import java.util.List;

/**
 * What ended one execution of a job, or restarted a part of it.
 *
 * @param execution number of the execution, counted by its JobMaster
 * @param cause the first failure that nothing else caused, as far as it is known
 * @param others the first ones of the other failures that came with it; at most {@link #MAX_OTHERS}, shortened
 * @param othersInAll how many there were
 */
public record JobFailure(long execution, TaskFailure cause, List<TaskFailure> others, int othersInAll) {

    public static final int MAX_OTHERS = 8;
    public static final int MAX_SHORT = 500;

    public JobFailure {
        others = List.copyOf(others);
    }

    /**
     * One task that failed.
     *
     * @param wallMillis when the JobMaster was told
     * @param task with its subtask, such as {@code count[3]}
     * @param worker where it ran
     * @param text for people
     * @param stack stack trace of the exception; empty when it was none
     */
    public record TaskFailure(long wallMillis, String task, String worker, String text, String stack) {

        /** Without stack trace, and with at most {@link #MAX_SHORT} characters of text. */
        public TaskFailure shortened() {
            return new TaskFailure(wallMillis, task, worker, shortened(text), "");
        }

        static String shortened(String text) {
            return text.length() <= MAX_SHORT ? text : text.substring(0, MAX_SHORT) + "...";
        }
    }

    JobFailure shortened() {
        return new JobFailure(
                execution,
                cause.shortened(),
                others.stream().map(TaskFailure::shortened).toList(),
                othersInAll);
    }
}
