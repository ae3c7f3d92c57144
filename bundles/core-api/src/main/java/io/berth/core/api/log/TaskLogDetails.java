package io.berth.core.api.log;

import io.berth.core.api.task.AttemptId;
import io.berth.spi.WorkerId;
import java.util.List;

/**
 * The log of one attempt of a task.
 *
 * @param worker that ran the task
 * @param log its name among the logs of the job on this worker
 * @param vertices of the chain that the task runs
 * @param createdMillis wall time of the deployment
 * @param start offset of the first byte that is still there
 * @param end offset behind the last byte
 */
public record TaskLogDetails(
        WorkerId worker,
        String log,
        AttemptId attempt,
        List<String> vertices,
        long createdMillis,
        long start,
        long end) {

    public TaskLogDetails {
        vertices = List.copyOf(vertices);
    }

    /** With other offsets. */
    public TaskLogDetails spanning(long newStart, long newEnd) {
        return new TaskLogDetails(worker, log, attempt, vertices, createdMillis, newStart, newEnd);
    }
}
