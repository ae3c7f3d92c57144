package io.berth.runtime.dataflow.task;

/**
 * Times of tasks.
 *
 * @param flushMillis a partly filled buffer is handed over after this time at the latest, as soon as the operator
 *     returns from the record or step it is in
 * @param cancelMillis a task that has not ended so long after it was canceled is reported in the log, with its stack
 */
public record TaskSettings(int flushMillis, int cancelMillis) {

    /** Refuses what cannot work. */
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
