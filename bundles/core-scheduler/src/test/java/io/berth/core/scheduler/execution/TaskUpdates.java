package io.berth.core.scheduler.execution;

import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import java.util.List;
import java.util.TreeMap;

/** What the worker of a task reports, for tests. */
public final class TaskUpdates {

    private TaskUpdates() {}

    /** The task is in another state, without a failure. */
    public static TaskUpdate of(ExecutionTask task, TaskState state) {
        return new TaskUpdate(
                task.worker(),
                task.attempt(),
                state,
                "",
                FailureKind.TRANSIENT,
                "",
                List.of(),
                new TaskMetrics(List.of(), 0, 0, new TreeMap<>()));
    }
}
