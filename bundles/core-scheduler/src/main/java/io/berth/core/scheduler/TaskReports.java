package io.berth.core.scheduler;

import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.execution.TaskCalls;
import io.berth.core.scheduler.execution.TaskReconciliation;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.states.Executing;
import io.berth.core.scheduler.states.State;
import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the reports of workers to the tasks of the current execution; a report on another task has no effect.
 * Confined to the main thread of the job.
 */
final class TaskReports {

    private static final Logger LOG = LoggerFactory.getLogger(TaskReports.class);

    private final JobIdentity job;
    private final Supplier<State> state;
    private final TaskCalls calls;
    private final Consumer<ExecutionTask> changed;
    private final BiConsumer<ExecutionTask, Failure> failed;

    /**
     * @param changed receives each task whose state changed
     * @param failed receives each task that failed without a report
     */
    TaskReports(
            JobIdentity job,
            Supplier<State> state,
            TaskCalls calls,
            Consumer<ExecutionTask> changed,
            BiConsumer<ExecutionTask, Failure> failed) {
        this.job = job;
        this.state = state;
        this.calls = calls;
        this.changed = changed;
        this.failed = failed;
    }

    /** The tasks that a worker must be running now. */
    Set<AttemptId> expectedAt(WorkerId worker) {
        return state.get()
                .execution()
                .map(execution -> execution.expectedAt(worker))
                .orElse(Collections.emptySortedSet());
    }

    /** What a worker runs, with what was expected when it was asked. */
    void reported(WorkerId worker, Set<AttemptId> expected, TaskReport report) {
        TaskReconciliation found = TaskReconciliation.of(state.get().execution(), worker, expected, report);
        if (!found.unknown().isEmpty()) {
            LOG.info(
                    "job {}: worker {} runs {} tasks of no current execution",
                    job.id(),
                    worker,
                    found.unknown().size());
            calls.cancel(found.unknown(), attempt -> worker);
        }
        found.missing()
                .forEach(task -> failed.accept(
                        task, new Failure("task " + task.describe() + " is no longer there", false, Blame.CLUSTER)));
    }

    void update(TaskUpdate update) {
        Optional<ExecutionTask> task = state.get()
                .execution()
                .flatMap(execution -> execution.task(update.attempt()))
                .filter(candidate -> candidate.worker().equals(update.worker()));
        if (task.isEmpty()) {
            LOG.debug("job {}: ignores the update of {}, not of the current execution", job.id(), update.attempt());
        } else if (task.get().apply(update)) {
            changed.accept(task.get());
        }
    }

    void splits(AttemptId attempt, String vertex, SplitPart part) {
        executionOf(attempt).ifPresent(execution -> execution.splits().report(attempt, vertex, part));
    }

    SplitAnswer nextSplit(AttemptId attempt, String vertex, long number) {
        return executionOf(attempt)
                .map(execution -> execution.splits().next(attempt, vertex, number))
                .orElseGet(SplitAnswer.Exhausted::new);
    }

    private Optional<ExecutionGraph> executionOf(AttemptId attempt) {
        State current = state.get();
        return current.execution()
                .filter(execution -> current instanceof Executing)
                .filter(execution -> execution.task(attempt).isPresent());
    }
}
