package io.berth.runtime.dataflow.task;

/**
 * Times of tasks.
 *
 * @param flushMillis a partly filled buffer is sent after this time at the latest, as soon as the operator returns
 *     from its current record or step
 * @param cancelMillis a task that has not ended this long after it was canceled is reported in the log, with its stack
 */
public record TaskSettings(int flushMillis, int cancelMillis) {

    /** Rejects invalid values. */
    public TaskSettings {
        if (flushMillis < 1 || flushMillis > 60_000) {
            throw new IllegalArgumentException("flush.interval.ms is " + flushMillis + "; allowed: 1 to 60000");
        }
        if (cancelMillis < 100) {
            throw new IllegalArgumentException("task.cancel.timeout.ms is " + cancelMillis + "; allowed: at least 100");
        }
    }

    /** The documented defaults. */
    public static TaskSettings defaults() {
        return new TaskSettings(100, 30_000);
    }
}
