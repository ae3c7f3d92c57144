package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.TimeText;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.execution.JobChain;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * The tasks run. When all tasks have ended or are ready to commit, one task of each chain commits for its chain; the
 * others end after that. A failure of a task before the first commit repeats its region; each other failure before the last
 * commit repeats the whole execution.
 */
public final class Executing implements State {

    public interface Context extends RegionRestarts.Context {
        /** Deploys all tasks; failures arrive as {@link State#taskChanged}. */
        void deploy(ExecutionGraph execution);

        void commit(ExecutionTask task, List<Committable> committables);

        /** All tasks that commit have done so. */
        void outputCommitted();

        boolean hasUnusedSlots();

        void decide(State asking, Consumer<ScalingOutcome> handler);

        void declare(ScalingOutcome.Decided decision);

        /** Whether it runs at more than the maximum, which was lowered since it started. */
        boolean isAboveMaximum(ExecutionGraph execution);

        /** The parallelism, or the highest lower one that the network memory allows now. */
        Feasible feasible(List<Integer> parallelism);

        /** @param policy the scaling policy that decided; empty when none did */
        void goToRescaling(ExecutionGraph execution, List<Integer> planned, String reason, String policy);

        /** How far the job is in moving from workers that leave; empty when the execution uses none. */
        Optional<Move> move(ExecutionGraph execution);

        /** What is needed, what is present, and the reason from the ResourceManager. */
        Reason missing();

        /** Restarts without a failure: workers of the execution leave. */
        void goToMoving(ExecutionGraph execution, String reason);

        /** Restarts without a failure: slots of the execution serve other groups now. */
        void goToRematched(ExecutionGraph execution, String reason);

        void goToCanceling(ExecutionGraph execution, String cause);

        void goToFinished(JobStatus outcome, String reason);
    }

    private final Context context;
    private final ExecutionGraph execution;
    private final SlotStabilization rescaling;
    private final RegionRestarts regions;
    private final long rootCauseWaitMillis;
    private final long retryMillis;
    private final String bound;
    private final Map<String, ExecutionTask> committers = new TreeMap<>();
    private Optional<Failure> failure = Optional.empty();
    private Cancellable moveTimer = () -> {};
    /** Why slots of the execution leave. */
    private Optional<String> leaving = Optional.empty();

    private OptionalLong reviewAfterMillis;
    private Cancellable review = () -> {};
    /** Whether a scaling policy decided when one was asked last. Without one, a restart would end in waiting. */
    private boolean decides = true;
    /** Whether a decision to rescale had no effect, because workers of the execution left or all input had been read. */
    private boolean postponed;

    /**
     * @param bound why the parallelism is lower than the slots allow; empty when it is not
     * @param reviewAfterMillis when the scaling policy wishes to be asked again
     */
    public Executing(
            Context context,
            SchedulerConfiguration configuration,
            ExecutionGraph execution,
            String bound,
            OptionalLong reviewAfterMillis) {
        this.bound = bound;
        this.reviewAfterMillis = reviewAfterMillis;
        this.context = context;
        this.execution = execution;
        this.rescaling = new SlotStabilization(
                configuration.rescaleStabilization(),
                (delayMillis, action) -> context.runLater(this, delayMillis, action),
                this::rescale);
        this.regions = new RegionRestarts(context, this, configuration, execution, this::regionRestarted);
        this.rootCauseWaitMillis = configuration.rootCauseWaitMillis();
        this.retryMillis = Math.max(1, configuration.rescaleStabilization().maxMillis());
    }

    @Override
    public JobStatus status() {
        return JobStatus.EXECUTING;
    }

    @Override
    public String reason() {
        return failure.map(Failure::text)
                .orElseGet(() -> context.move(execution).map(this::describe).orElseGet(() -> {
                    String restarts = regions.reason();
                    return restarts.isEmpty() ? bound : restarts;
                }));
    }

    private String describe(Move move) {
        return move.reason()
                + (move.hasDeadline()
                        ? "; restarts without other slots in " + TimeText.of(Math.max(0, move.withinMillis()))
                        : "; waits for other slots")
                + ": " + context.missing().line();
    }

    @Override
    public Optional<Reason> why() {
        return failure.map(consequence -> Reason.of(ReasonCode.TASK_FAILED, consequence.text()));
    }

    @Override
    public Optional<ExecutionGraph> execution() {
        return Optional.of(execution);
    }

    @Override
    public void enter() {
        context.deploy(execution);
        // Slots may have arrived while the graph was built.
        if (context.hasUnusedSlots()) {
            rescaling.changed();
        }
        review();
        context.runLater(this, 0, this::moveWhenDue);
    }

    @Override
    public void taskChanged(ExecutionTask task) {
        if (regions.isFailing(task)) {
            regions.changed(task);
        } else if (task.failure().isPresent()) {
            if (isNoLongerNeeded(task)) {
                task.finished();
                advance(task);
            } else {
                failed(task, task.failure().get());
            }
        } else {
            advance(task);
        }
    }

    /** Whether the output is committed, so that the task only had to end. */
    private boolean isNoLongerNeeded(ExecutionTask task) {
        return task.chain().results().isEmpty() && !committers.containsValue(task) && isCommitted();
    }

    private boolean isCommitted() {
        return !committers.isEmpty()
                && committers.values().stream().allMatch(committer -> committer.state() == TaskState.FINISHED);
    }

    private void failed(ExecutionTask task, Failure cause) {
        if (isOfItsRegionOnly(cause)) {
            regions.failed(task, cause);
        } else if (!cause.consequence()) {
            context.goToRestarting(execution, cause);
        } else if (failure.isEmpty()) {
            failure = Optional.of(cause);
            context.runLater(this, rootCauseWaitMillis, () -> context.goToRestarting(execution, cause));
        }
    }

    /** Decisions to move or rescale had no effect while all input had been read, which is no longer so. */
    private void regionRestarted() {
        if (postponed || context.hasUnusedSlots()) {
            postponed = false;
            rescaling.changed();
        }
        moveWhenDue();
    }

    /** Of a failure that is not the fault of a task, the slots may be gone too. */
    private boolean isOfItsRegionOnly(Failure cause) {
        return cause.blame() == Blame.TASK && execution.regions() > 1 && failure.isEmpty() && committers.isEmpty();
    }

    @Override
    public boolean isFailure(ExecutionTask task) {
        return !regions.isExpected(task) && !isNoLongerNeeded(task);
    }

    private void advance(ExecutionTask changed) {
        if (failure.isPresent() || regions.areFailing()) {
            return;
        }
        if (isCommitted()) {
            context.outputCommitted();
        }
        if (execution.isFinished()) {
            context.goToFinished(JobStatus.FINISHED, "");
        } else if (execution.isReadyToCommit()) {
            if (committers.isEmpty()) {
                execution.chains().forEach(this::commit);
            } else if (committers.get(changed.chain().name()) == changed) {
                endOthers(changed);
            }
        }
    }

    /** One task commits for its chain. */
    private void commit(JobChain chain) {
        List<ExecutionTask> tasks = execution.tasks(chain);
        tasks.stream()
                .filter(task -> task.state() == TaskState.READY_TO_COMMIT)
                .findFirst()
                .ifPresent(committer -> {
                    committers.put(chain.name(), committer);
                    List<Committable> all = new ArrayList<>();
                    tasks.forEach(task -> all.addAll(task.committables()));
                    context.commit(committer, all);
                });
    }

    private void endOthers(ExecutionTask committer) {
        if (committer.state() == TaskState.FINISHED) {
            execution.tasks(committer.chain()).stream()
                    .filter(task -> task.state() == TaskState.READY_TO_COMMIT && !task.isCommitting())
                    .forEach(task -> context.commit(task, List.of()));
        }
    }

    @Override
    public void slotsAdded() {
        rescaling.changed();
        moveWhenDue();
    }

    @Override
    public void workersLeave() {
        if ((postponed || context.hasUnusedSlots()) && context.move(execution).isEmpty()) {
            // Decisions to rescale had no effect while it was moving.
            postponed = false;
            rescaling.changed();
        }
        moveWhenDue();
    }

    /**
     * Restarts once when it has other slots instead of those on workers that leave, or when it can wait no longer. What
     * moves follows from the slots each time: workers may stay after all, or be lost.
     */
    private void moveWhenDue() {
        moveTimer.cancel();
        Optional<Move> move = context.move(execution);
        if (move.isEmpty() || !isRestartUseful()) {
            return;
        }
        if (move.get().isDue()) {
            context.goToMoving(execution, move.get().reason());
        } else if (move.get().hasDeadline()) {
            moveTimer = context.runLater(this, move.get().withinMillis(), this::moveWhenDue);
        }
    }

    @Override
    public void slotsLost() {
        // Those that the execution uses end it by their tasks.
        rescaling.changed();
        moveWhenDue();
    }

    @Override
    public boolean maySlotsBeTaken() {
        return decides && isRestartUseful();
    }

    @Override
    public void slotsTaken(String why) {
        context.goToRematched(execution, why);
    }

    @Override
    public void slotsLeaving(String why) {
        leaving = Optional.of(why);
        rescale();
    }

    private boolean isRestartUseful() {
        return failure.isEmpty() && committers.isEmpty() && !execution.isDrained();
    }

    @Override
    public void policiesChanged() {
        rescaling.changed();
    }

    @Override
    public void boundsChanged() {
        rescaling.changed();
    }

    private void rescale() {
        context.decide(this, outcome -> {
            decides = outcome instanceof ScalingOutcome.Decided;
            if (outcome instanceof ScalingOutcome.Decided decision) {
                context.declare(decision);
                reviewAfterMillis = decision.reviewAfterMillis();
                decision.feasible().parallelism().ifPresent(parallelism -> follow(decision, parallelism));
                // It may desire no more now than it has on workers that stay.
                moveWhenDue();
            } else {
                // A decision that failed ends neither the reviews nor the rescale that is due.
                reviewAfterMillis = OptionalLong.of(Math.min(retryMillis, reviewAfterMillis.orElse(retryMillis)));
            }
            review();
        });
    }

    private void follow(ScalingOutcome.Decided decision, List<Integer> parallelism) {
        // While it moves, another restart would lose slots that have no replacement yet.
        if (!isRestartUseful() || context.move(execution).isPresent()) {
            postponed |= leaving.isPresent() || decision.accepted() || context.isAboveMaximum(execution);
            return;
        }
        if (leaving.isPresent()) {
            context.goToRescaling(execution, parallelism, "slots are returned: " + leaving.get(), "");
        } else if (decision.accepted() || context.isAboveMaximum(execution)) {
            if (context.feasible(parallelism).parallelism().equals(Optional.of(parallelism))) {
                context.goToRescaling(
                        execution,
                        parallelism,
                        decision.accepted() ? decision.reason() : "it runs above its maximum, which was lowered",
                        decision.accepted() ? decision.scaling().toString() : "");
            } else {
                // The workers changed since the decision: what is feasible now was not judged.
                rescaling.changed();
            }
        }
    }

    /** The scaling policy is asked again when it wished to be, although nothing changes. */
    private void review() {
        review.cancel();
        reviewAfterMillis.ifPresent(millis -> review = context.runLater(this, millis, this::rescale));
    }

    @Override
    public void cancel(String cause) {
        context.goToCanceling(execution, cause);
    }
}
