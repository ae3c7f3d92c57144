package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tasks are ending; after the back-off the job starts again from the beginning with the slots that it has. */
public final class Restarting implements State {

    public interface Context extends TaskCancellation.Context {
        boolean isMinimumFulfilled();

        /** Whether the results of other units that it reads are there. */
        boolean hasInputs();

        /** Counts a failure whose cause is known. @return why the job is not restarted; empty when it is */
        Optional<String> countFailure(ExecutionGraph execution, Failure cause);

        void goToFailing(ExecutionGraph execution, String noRestart, Failure cause);

        void goToWaitingForResources(Optional<Reason> obstacle);

        void goToCreatingExecutionGraph();

        void goToCanceling(ExecutionGraph execution, String cause);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;
    private final ExecutionGraph execution;
    private final Optional<ReasonCode> planned;
    private final long delayMillis;
    private final boolean counted;
    private final TaskCancellation cancellation;
    private Failure cause;
    private boolean tasksEnded;
    private boolean delayOver;

    /**
     * @param cause of the failure, or why the job rescales; a consequence is counted when all tasks have ended: until
     *     then a lost worker may turn out to be the cause
     * @param planned why it restarts without a failure; empty after a failure
     * @param delayMillis restart back-off
     */
    public Restarting(
            Context context,
            SchedulerConfiguration configuration,
            ExecutionGraph execution,
            Failure cause,
            Optional<ReasonCode> planned,
            long delayMillis) {
        this.context = context;
        this.execution = execution;
        this.cause = cause;
        this.planned = planned;
        this.delayMillis = delayMillis;
        this.counted = !cause.consequence();
        this.cancellation =
                new TaskCancellation(context, this, execution, configuration.cancelTimeoutMillis(), this::tasksEnded);
    }

    @Override
    public JobStatus status() {
        return JobStatus.RESTARTING;
    }

    @Override
    public String reason() {
        return cause.text();
    }

    @Override
    public Optional<Reason> why() {
        List<Reason> causes = new ArrayList<>();
        if (planned.isEmpty()) {
            causes.add(Reason.of(ReasonCode.TASK_FAILED, cause.text()));
        }
        causes.addAll(TaskCancellation.ending(execution));
        return Optional.of(planned.map(code -> Reason.of(code, cause.text(), causes))
                .orElseGet(() -> Reason.of(
                        ReasonCode.BACKOFF,
                        "starts again when its tasks have ended, after a back-off of " + delayMillis + " ms",
                        causes)));
    }

    @Override
    public Optional<ExecutionGraph> execution() {
        return Optional.of(execution);
    }

    @Override
    public boolean isFailure(ExecutionTask task) {
        return planned.isPresent() ? State.isFailureByItself(task) : State.super.isFailure(task);
    }

    @Override
    public void enter() {
        cancellation.start();
        context.runLater(this, delayMillis, () -> {
            delayOver = true;
            continueRestart();
        });
    }

    @Override
    public void taskChanged(ExecutionTask task) {
        // The root cause may be reported after its consequences.
        task.failure()
                .filter(later -> cause.consequence() && !later.consequence())
                .ifPresent(root -> {
                    cause = root;
                    context.rootCauseFound(reason());
                });
        cancellation.check();
    }

    private void tasksEnded() {
        Optional<String> noRestart = counted ? Optional.empty() : context.countFailure(execution, cause);
        if (noRestart.isPresent()) {
            context.goToFailing(execution, noRestart.get(), cause);
        } else {
            tasksEnded = true;
            continueRestart();
        }
    }

    private void continueRestart() {
        if (!tasksEnded || !delayOver) {
            return;
        }
        if (!context.hasInputs()) {
            // The unit starts again when they are there, which may take long: others may have its slots.
            context.goToFinished(JobStatus.CANCELED, "its input is lost, and is produced again");
        } else if (planned.isPresent() && context.isMinimumFulfilled()) {
            context.goToCreatingExecutionGraph();
        } else {
            context.goToWaitingForResources(Optional.empty());
        }
    }

    @Override
    public void cancel(String why) {
        context.goToCanceling(execution, why);
    }
}
