package io.berth.core.api.log;

import io.berth.core.api.task.AttemptId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;

/**
 * Which logs of tasks are meant.
 *
 * @param vertex only of tasks that run this vertex, alone or in a chain; empty: of all
 * @param subtask only of tasks with this index; empty: of all
 */
public record LogFilter(JobId job, Optional<String> vertex, Optional<Integer> subtask) {

    /** The logs of all tasks of a job. */
    public static LogFilter of(JobId job) {
        return new LogFilter(job, Optional.empty(), Optional.empty());
    }

    /** @param vertices that the task runs */
    public boolean matches(AttemptId attempt, List<String> vertices) {
        return attempt.job().equals(job)
                && vertex.map(vertices::contains).orElse(true)
                && subtask.map(index -> index == attempt.subtask()).orElse(true);
    }
}
