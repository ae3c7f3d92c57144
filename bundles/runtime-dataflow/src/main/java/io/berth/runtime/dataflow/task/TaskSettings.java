package io.berth.runtime.dataflow.task;

import io.berth.core.api.task.RuntimeSettings;

/**
 * Times of tasks.
 *
 * @param flushMillis a partly filled buffer is sent after this time at the latest, as soon as the operator returns
 *     from its current record or step
 * @param cancelMillis a task that has not ended this long after it was canceled is reported in the log, with its stack
 */
public record TaskSettings(int flushMillis, int cancelMillis) {

    public static TaskSettings of(RuntimeSettings settings) {
        return new TaskSettings((int) settings.get(RuntimeSettings.FLUSH_INTERVAL_MILLIS), (int)
                settings.get(RuntimeSettings.CANCEL_TIMEOUT_MILLIS));
    }
}
