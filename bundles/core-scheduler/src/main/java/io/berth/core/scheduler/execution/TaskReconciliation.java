package io.berth.core.scheduler.execution;

import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares what a worker reports with what it should run (FLIP-6): tasks of no current execution are canceled there,
 * and tasks that it no longer knows have failed.
 *
 * @param unknown attempts that the worker must cancel
 * @param missing tasks that were missing so often that no update of them can be under way
 */
public record TaskReconciliation(List<AttemptId> unknown, List<ExecutionTask> missing) {

    /**
     * Applies the metrics of a report.
     *
     * @param expected what the worker should have run when the heartbeat was sent
     */
    public static TaskReconciliation of(
            Optional<ExecutionGraph> execution, WorkerId worker, Set<AttemptId> expected, TaskReport report) {
        Set<AttemptId> absent = new TreeSet<>(expected);
        List<AttemptId> unknown = new ArrayList<>();
        for (TaskStatus status : report.tasks()) {
            Optional<ExecutionTask> task = find(execution, status.attempt(), worker);
            if (task.isEmpty()) {
                unknown.add(status.attempt());
                continue;
            }
            // An ended task remains until its update arrives.
            absent.remove(status.attempt());
            if (!status.state().isTerminal()) {
                task.get().reported(status.state(), status.metrics());
            }
        }
        List<ExecutionTask> missing = new ArrayList<>();
        for (AttemptId attempt : absent) {
            find(execution, attempt, worker)
                    .filter(task -> !task.isTerminal() && task.isMissingForSure())
                    .ifPresent(missing::add);
        }
        return new TaskReconciliation(unknown, missing);
    }

    private static Optional<ExecutionTask> find(
            Optional<ExecutionGraph> execution, AttemptId attempt, WorkerId worker) {
        return execution
                .flatMap(graph -> graph.task(attempt))
                .filter(task -> task.worker().equals(worker));
    }
}
