package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.Optional;

/** The job has failed for good and its tasks are ending. */
public final class Failing implements State {

    public interface Context extends TaskCancellation.Context {
        void goToCanceling(ExecutionGraph execution, String cause);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;
    private final ExecutionGraph execution;
    private final String prefix;
    private final TaskCancellation cancellation;
    private Failure cause;

    /**
     * @param prefix why there is no restart
     */
    public Failing(
            Context context,
            SchedulerConfiguration configuration,
            ExecutionGraph execution,
            String prefix,
            Failure cause) {
        this.context = context;
        this.execution = execution;
        this.prefix = prefix;
        this.cause = cause;
        this.cancellation = new TaskCancellation(
                context,
                this,
                execution,
                configuration.cancelTimeoutMillis(),
                () -> context.goToFinished(JobStatus.FAILED, reason()));
    }

    @Override
    public JobStatus status() {
        return JobStatus.FAILING;
    }

    @Override
    public String reason() {
        return prefix + cause.text();
    }

    @Override
    public Optional<Reason> why() {
        return Optional.of(Reason.of(ReasonCode.FAILING, reason(), TaskCancellation.ending(execution)));
    }

    @Override
    public Optional<ExecutionGraph> execution() {
        return Optional.of(execution);
    }

    @Override
    public void enter() {
        cancellation.start();
    }

    @Override
    public void taskChanged(ExecutionTask task) {
        task.failure()
                .filter(later -> cause.consequence() && !later.consequence())
                .ifPresent(root -> {
                    cause = root;
                    context.rootCauseFound(reason());
                });
        cancellation.check();
    }

    @Override
    public void cancel(String why) {
        context.goToCanceling(execution, why);
    }
}
