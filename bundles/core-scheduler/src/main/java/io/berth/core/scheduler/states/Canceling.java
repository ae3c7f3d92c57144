package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.Optional;

/** The job was canceled and its tasks are ending. */
public final class Canceling implements State {

    public interface Context extends TaskCancellation.Context {
        void goToFinished(JobStatus outcome, String reason);
    }

    private final ExecutionGraph execution;
    private final String cause;
    private final TaskCancellation cancellation;

    public Canceling(Context context, SchedulerConfiguration configuration, ExecutionGraph execution, String cause) {
        this.execution = execution;
        this.cause = cause;
        this.cancellation = new TaskCancellation(
                context,
                this,
                execution,
                configuration.cancelTimeoutMillis(),
                () -> context.goToFinished(JobStatus.CANCELED, cause));
    }

    @Override
    public JobStatus status() {
        return JobStatus.CANCELING;
    }

    @Override
    public String reason() {
        return cause;
    }

    @Override
    public Optional<Reason> why() {
        return Optional.of(
                Reason.of(ReasonCode.CANCELING, "is being canceled, " + cause, TaskCancellation.ending(execution)));
    }

    @Override
    public Optional<ExecutionGraph> execution() {
        return Optional.of(execution);
    }

    @Override
    public boolean isFailure(ExecutionTask task) {
        return State.isFailureByItself(task);
    }

    @Override
    public void enter() {
        cancellation.start();
    }

    @Override
    public void taskChanged(ExecutionTask task) {
        cancellation.check();
    }

    @Override
    public void cancel(String again) {
        // Canceled already.
    }
}
