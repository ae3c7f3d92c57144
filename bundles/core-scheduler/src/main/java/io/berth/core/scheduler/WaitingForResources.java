package io.berth.core.scheduler;

import io.berth.core.api.job.JobStatus;
import io.berth.core.api.policy.ScalingAdvisor.ScalingOutcome;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.function.Consumer;

/**
 * The requirements are declared and the job waits for slots: until all that is desired is there, or until its minimum is
 * there and the slots have not changed for a while.
 */
final class WaitingForResources implements State {

    interface Context {
        /** Asks the scaling policy with the slots there are; the answer comes only while {@code asking} lasts. */
        void decide(State asking, Consumer<ScalingOutcome> handler);

        /** Declares what a decision desires. */
        void declare(ScalingOutcome.Decided decision);

        boolean isFulfilled();

        boolean isMinimumFulfilled();

        /** What is needed, what is there, and what the ResourceManager says. */
        String missing();

        /** Runs an action after a delay if the job is still in {@code state} then. */
        Cancellable runLater(State state, long delayMillis, Runnable action);

        void goToCreatingExecutionGraph();

        void goToFinished(JobStatus outcome, String reason);
    }

    private static final long OBSTACLE_RETRY_MILLIS = 1_000;

    private final Context context;
    private final long waitTimeoutMillis;
    private final long stabilizationMillis;
    private String obstacle;
    private boolean decided;
    private Cancellable stabilization = () -> {};
    private Cancellable retry = () -> {};

    /**
     * @param obstacle why the job could not start with the slots it had; it tries again when something changed or
     *     after a while. Empty for none.
     */
    WaitingForResources(Context context, SchedulerConfiguration configuration, String obstacle) {
        this.context = context;
        this.waitTimeoutMillis = configuration.resourceWaitTimeoutMillis();
        this.stabilizationMillis = configuration.resourceStabilizationTimeoutMillis();
        this.obstacle = obstacle;
    }

    @Override
    public JobStatus status() {
        return JobStatus.WAITING_FOR_RESOURCES;
    }

    @Override
    public String reason() {
        if (!obstacle.isEmpty()) {
            return "waiting: " + obstacle;
        }
        String more = decided && context.isMinimumFulfilled()
                ? "; the minimum is there: starts when no slot has come for " + stabilizationMillis + " ms"
                : "";
        return "waiting: " + context.missing() + more;
    }

    @Override
    public void enter() {
        if (waitTimeoutMillis >= 0) {
            context.runLater(
                    this,
                    waitTimeoutMillis,
                    () -> context.goToFinished(
                            JobStatus.FAILED,
                            "not enough resources within " + waitTimeoutMillis + " ms: " + context.missing()));
        }
        decideDesired();
        if (!obstacle.isEmpty()) {
            retryLater();
        }
    }

    private void retryLater() {
        retry.cancel();
        retry = context.runLater(this, Math.max(OBSTACLE_RETRY_MILLIS, stabilizationMillis), this::obstacleMayBeGone);
    }

    private void obstacleMayBeGone() {
        obstacle = "";
        decideDesired();
    }

    private void decideDesired() {
        context.decide(this, outcome -> {
            if (outcome instanceof ScalingOutcome.Decided decision) {
                decided = true;
                context.declare(decision);
                evaluate();
            } else if (outcome instanceof ScalingOutcome.NotDecided not) {
                obstacle = not.reason();
                retryLater();
            }
        });
    }

    private void evaluate() {
        stabilization.cancel();
        if (!decided || !obstacle.isEmpty()) {
            return;
        }
        if (context.isFulfilled()) {
            context.goToCreatingExecutionGraph();
        } else if (context.isMinimumFulfilled()) {
            // Called off by each change of the slots.
            stabilization =
                    context.runLater(this, stabilizationMillis, context::goToCreatingExecutionGraph);
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
            obstacle = "";
        }
        evaluate();
    }

    @Override
    public void policiesChanged() {
        obstacleMayBeGone();
    }

    @Override
    public void cancel(String cause) {
        context.goToFinished(JobStatus.CANCELED, cause);
    }
}
