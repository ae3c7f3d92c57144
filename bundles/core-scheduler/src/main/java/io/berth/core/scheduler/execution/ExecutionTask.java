package io.berth.core.scheduler.execution;

import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * One task of an execution as the JobMaster sees it. Its state only moves forward. Confined to the main thread of the
 * job.
 */
public final class ExecutionTask {

    private static final int MISSING_AFTER = 2;
    private static final TaskMetrics NO_METRICS = new TaskMetrics(List.of(), 0, 0, new TreeMap<>());

    private final AttemptId attempt;
    private final JobChain chain;
    private final PoolSlot slot;
    private final TaskCounts counts;
    private final MetricsWindow window;
    private final long createdMillis;
    private TaskState state = TaskState.CREATED;
    private TaskMetrics metrics = NO_METRICS;
    private List<Committable> committables = List.of();
    private Optional<Failure> failure = Optional.empty();
    private boolean acknowledged;
    private boolean committing;
    private boolean failureTaken;
    private int missing;

    /**
     * @param counts of the execution, updated with each change of state
     * @param window receives its reports
     * @param createdMillis monotonic
     */
    ExecutionTask(
            AttemptId attempt,
            JobChain chain,
            PoolSlot slot,
            TaskCounts counts,
            MetricsWindow window,
            long createdMillis) {
        this.attempt = attempt;
        this.chain = chain;
        this.slot = slot;
        this.counts = counts;
        this.window = window;
        this.createdMillis = createdMillis;
        counts.add(this);
    }

    private void enter(TaskState next) {
        TaskState before = state;
        state = next;
        counts.moved(this, before);
    }

    public AttemptId attempt() {
        return attempt;
    }

    public JobChain chain() {
        return chain;
    }

    public PoolSlot slot() {
        return slot;
    }

    public WorkerId worker() {
        return slot.worker();
    }

    public TaskState state() {
        return state;
    }

    public boolean isTerminal() {
        return state.isTerminal();
    }

    /** When the attempt began, monotonic. */
    public long createdMillis() {
        return createdMillis;
    }

    /** Its reports of the last time. */
    public MetricsWindow window() {
        return window;
    }

    public TaskMetrics metrics() {
        return metrics;
    }

    public List<Committable> committables() {
        return committables;
    }

    /** Why the execution fails; may be set before the task has ended. */
    public Optional<Failure> failure() {
        return failure;
    }

    /** The failure, for the first caller only. */
    public Optional<Failure> takeFailure() {
        Optional<Failure> taken = failureTaken ? Optional.empty() : failure;
        failureTaken |= taken.isPresent();
        return taken;
    }

    /** Whether the worker has accepted the task, so that its reports must list it. */
    boolean isExpectedAtWorker() {
        return acknowledged && !isTerminal();
    }

    void deploying() {
        enter(TaskState.DEPLOYING);
    }

    void acknowledged() {
        acknowledged = true;
    }

    /** Whether the commit was requested. */
    public boolean isCommitting() {
        return committing;
    }

    void committing() {
        committing = true;
    }

    /**
     * Applies an update from the worker.
     *
     * @return whether the state changed; late and repeated updates change nothing
     */
    public boolean apply(TaskUpdate update) {
        if (isTerminal() || state == TaskState.CREATED || update.state().compareTo(state) <= 0) {
            return false;
        }
        enter(update.state());
        metrics = update.metrics();
        acknowledged = true;
        if (state == TaskState.READY_TO_COMMIT) {
            committables = update.committables();
        } else if (state == TaskState.FAILED) {
            because(new Failure(
                    "task " + describe() + " failed: " + update.cause(),
                    update.kind() == FailureKind.CONSEQUENCE,
                    update.kind() == FailureKind.PERMANENT ? Blame.JOB : Blame.TASK,
                    update.stack()));
        } else if (state == TaskState.CANCELED) {
            because(new Failure("task " + describe() + " was canceled by its worker", true, Blame.CLUSTER));
        }
        return true;
    }

    /** The first cause is kept. */
    private void because(Failure cause) {
        failure = failure.or(() -> Optional.of(cause));
    }

    /** The worker reports the task. */
    void reported(TaskState reported, TaskMetrics current) {
        missing = 0;
        if (!isTerminal()) {
            metrics = current;
            window.add(current);
            if (state == TaskState.DEPLOYING && reported == TaskState.RUNNING) {
                enter(TaskState.RUNNING);
            }
        }
    }

    /**
     * The worker does not report the task although it should.
     *
     * @return whether this happened often enough to be certain: an update may be under way
     */
    boolean isMissingForSure() {
        missing++;
        return missing >= MISSING_AFTER;
    }

    /** The task failed without a report, and its worker does not run it. */
    public boolean fail(Failure cause) {
        if (isTerminal()) {
            return false;
        }
        enter(TaskState.FAILED);
        because(cause);
        return true;
    }

    /**
     * The task must end, and its worker may run it: its slot is not free until the worker says that it does not.
     *
     * @return whether no cause was known before
     */
    public boolean failing(Failure cause) {
        if (isTerminal() || failure.isPresent()) {
            return false;
        }
        because(cause);
        acknowledged = true;
        return true;
    }

    /** The task had finished, and its result is lost. */
    public void resultLost(Failure cause) {
        enter(TaskState.FAILED);
        because(cause);
    }

    /** The task counts as canceled, whatever its worker does. */
    public void canceled() {
        if (!isTerminal()) {
            enter(TaskState.CANCELED);
        }
    }

    /** The task has done its work although it did not end by itself. */
    public void finished() {
        enter(TaskState.FINISHED);
    }

    /** The name of the task, the same in each execution. */
    public String name() {
        return attempt.chain() + "[" + attempt.subtask() + "]";
    }

    public String describe() {
        return name() + " of execution " + attempt.execution() + " on worker " + worker();
    }

    /**
     * Why an execution fails.
     *
     * @param text for people: names the task or worker
     * @param consequence whether something else caused it, which may be reported later
     * @param blame whose fault it is, unless another cause is reported
     * @param stack stack trace of the exception; empty when it is none
     */
    public record Failure(String text, boolean consequence, Blame blame, String stack) {

        /** A failure that is no exception of the task. */
        public Failure(String text, boolean consequence, Blame blame) {
            this(text, consequence, blame, "");
        }
    }

    /** Whose fault a failure is. */
    public enum Blame {
        /** A task of the job failed, and would fail in the same way in each attempt. */
        JOB,
        /** A task of the job failed. */
        TASK,
        /** The worker was lost; a task that loses its worker repeatedly may be the cause. */
        WORKER,
        /** The cluster took a resource away, or the job restarts on purpose. */
        CLUSTER
    }
}
