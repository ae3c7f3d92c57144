package io.berth.core.api.log;

import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Logs of tasks.
 *
 * @param logs in the order in which the tasks were deployed
 * @param omitted how many more there are; the oldest are left out
 * @param silent workers that did not answer in time: their logs are missing
 */
public record LogList(List<TaskLogDetails> logs, int omitted, List<WorkerId> silent) {

    /** The largest number of logs of one answer. */
    public static final int MAX_LOGS = 1_000;

    /** No logs. */
    public static final LogList NONE = new LogList(List.of(), 0, List.of());

    private static final Comparator<TaskLogDetails> BY_AGE = Comparator.comparingLong(TaskLogDetails::createdMillis)
            .thenComparing(TaskLogDetails::worker)
            .thenComparing(TaskLogDetails::log);

    public LogList {
        logs = List.copyOf(logs);
        silent = List.copyOf(silent);
    }

    /** The newest ones of these logs, in order. */
    public static LogList newest(List<TaskLogDetails> all, int alreadyOmitted, List<WorkerId> silent) {
        List<TaskLogDetails> sorted = new ArrayList<>(all);
        sorted.sort(BY_AGE);
        int cut = Math.max(0, sorted.size() - MAX_LOGS);
        return new LogList(sorted.subList(cut, sorted.size()), alreadyOmitted + cut, silent);
    }
}
