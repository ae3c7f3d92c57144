package io.berth.core.scheduler.states;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.Stabilization;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The requirements are declared and the job waits for slots: until all desired slots are present, or until its minimum
 * is present and the slots are stable.
 */
public final class WaitingForResources implements State {

    public interface Context {
        /**
         * Asks the scaling policy about the present slots; the answer arrives only while {@code asking} is the state.
         */
        void decide(State asking, Consumer<ScalingOutcome> handler);

        /** Declares the result of a decision. */
        void declare(ScalingOutcome.Decided decision);

        boolean isFulfilled();

        boolean isMinimumFulfilled();

        /** Whether another unit of the job runs: then this one may get its slots later. */
        boolean doesAnotherUnitRun();

        /** What is needed, what is present, and the reason from the ResourceManager. */
        Reason missing();

        /** Runs an action after a delay if the job is still in {@code state}. */
        Cancellable runLater(State state, long delayMillis, Runnable action);

        void goToCreatingExecutionGraph();

        void goToFinished(JobStatus outcome, String reason);
    }

    private static final long OBSTACLE_RETRY_MILLIS = 1_000;

    private final Context context;
    private final long waitTimeoutMillis;
    private final Stabilization stable;
    private final SlotStabilization stabilization;
    private Optional<Reason> obstacle;
    private boolean decided;
    private boolean limited;
    private Cancellable waitTimer = () -> {};
    private Cancellable retry = () -> {};
    private Cancellable review = () -> {};

    /** @param obstacle why the job could not start with the slots it had; it tries again after a change or a delay */
    public WaitingForResources(Context context, SchedulerConfiguration configuration, Optional<Reason> obstacle) {
        this.context = context;
        this.waitTimeoutMillis = configuration.resourceWaitTimeoutMillis();
        this.stable = configuration.resourceStabilization();
        this.stabilization = new SlotStabilization(
                stable,
                (delayMillis, action) -> context.runLater(this, delayMillis, action),
                context::goToCreatingExecutionGraph);
        this.obstacle = obstacle;
    }

    @Override
    public JobStatus status() {
        return JobStatus.WAITING_FOR_RESOURCES;
    }

    @Override
    public String reason() {
        return "waiting: " + waitsFor().line();
    }

    @Override
    public Optional<Reason> why() {
        return Optional.of(waitsFor());
    }

    private Reason waitsFor() {
        if (obstacle.isPresent()) {
            return obstacle.get();
        }
        if (!decided) {
            return Reason.of(ReasonCode.DECIDING, "not attempted yet: the scaling policy is asked what is desired");
        }
        Reason missing = context.missing();
        return context.isMinimumFulfilled()
                ? Reason.of(
                        ReasonCode.STABILIZING,
                        "the minimum is there, starts when no slot has come for " + stable.timeoutMillis()
                                + " ms, and within " + stable.maxMillis() + " ms at most",
                        List.of(missing))
                : missing;
    }

    @Override
    public void enter() {
        decideDesired();
        if (obstacle.isPresent()) {
            retryLater();
        }
    }

    /** The wait starts when the slots are declared: nobody can grant them before. */
    private void limitWait() {
        if (waitTimeoutMillis >= 0) {
            waitTimer = context.runLater(this, waitTimeoutMillis, this::waitTimedOut);
        }
    }

    private void waitTimedOut() {
        if (!context.isMinimumFulfilled() && context.doesAnotherUnitRun()) {
            limitWait();
        } else if (!context.isMinimumFulfilled()) {
            context.goToFinished(
                    JobStatus.FAILED,
                    "its minimum was not there within " + waitTimeoutMillis + " ms (resource.wait.timeout.ms): "
                            + context.missing().line());
        } else if (obstacle.isEmpty()) {
            context.goToCreatingExecutionGraph();
        } else {
            limitWait();
        }
    }

    private void retryLater() {
        retry.cancel();
        retry = context.runLater(this, Math.max(OBSTACLE_RETRY_MILLIS, stable.timeoutMillis()), this::recheckObstacle);
    }

    private void recheckObstacle() {
        obstacle = Optional.empty();
        decideDesired();
    }

    private void decideDesired() {
        context.decide(this, outcome -> {
            if (outcome instanceof ScalingOutcome.Decided decision) {
                decided = true;
                context.declare(decision);
                if (!limited) {
                    limited = true;
                    limitWait();
                }
                review.cancel();
                decision.reviewAfterMillis()
                        .ifPresent(millis -> review = context.runLater(this, millis, this::decideDesired));
                evaluate(false);
            } else if (outcome instanceof ScalingOutcome.NotDecided not) {
                obstacle = Optional.of(not.why());
                retryLater();
            }
        });
    }

    /** @param changed whether the slots have changed; a review alone does not make the wait longer */
    private void evaluate(boolean changed) {
        if (!decided || obstacle.isPresent() || !context.isMinimumFulfilled()) {
            stabilization.cancel();
        } else if (context.isFulfilled()) {
            context.goToCreatingExecutionGraph();
        } else if (changed) {
            stabilization.changed();
        } else {
            stabilization.start();
        }
    }

    @Override
    public void slotsAdded() {
        slotsChanged();
    }

    @Override
    public void slotsLost() {
        slotsChanged();
    }

    private void slotsChanged() {
        if (decided) {
            obstacle = Optional.empty();
        }
        evaluate(true);
    }

    @Override
    public void policiesChanged() {
        recheckObstacle();
    }

    /** Other slots may be declared, so the wait starts again. */
    @Override
    public void boundsChanged() {
        waitTimer.cancel();
        limited = false;
        recheckObstacle();
    }

    @Override
    public void cancel(String cause) {
        context.goToFinished(JobStatus.CANCELED, cause);
    }
}
