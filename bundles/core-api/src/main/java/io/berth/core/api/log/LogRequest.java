package io.berth.core.api.log;

import io.berth.spi.JobId;
import java.util.Optional;

/**
 * Asks for a part of a log.
 *
 * @param job of the task whose log is meant; empty: the own log of the worker
 * @param log name of the log among those of the job, as {@link TaskLogDetails#log} has it; empty for the own log of the
 *     worker
 * @param from offset in bytes; a negative one counts from the end. What is no longer there is skipped
 * @param limit largest number of bytes; more than {@link LogFolder#MAX_READ} are never answered
 */
public record LogRequest(Optional<JobId> job, String log, long from, int limit) {

    /** Part of the own log of a worker. */
    public static LogRequest ofWorker(long from, int limit) {
        return new LogRequest(Optional.empty(), "", from, limit);
    }

    /** Part of the log of a task. */
    public static LogRequest ofTask(JobId job, String log, long from, int limit) {
        return new LogRequest(Optional.of(job), log, from, limit);
    }
}
