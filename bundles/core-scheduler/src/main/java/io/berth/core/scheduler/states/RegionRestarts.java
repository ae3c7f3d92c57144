package io.berth.core.scheduler.states;

import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Restarts single regions of an execution while its other tasks go on (FLIP-119, section Failover): at the same parallelism, in
 * the same slots. When these are gone, or tasks do not end, the job is restarted instead. Each region has its own
 * back-off.
 */
final class RegionRestarts {

    interface Context {
        Cancellable runLater(State state, long delayMillis, Runnable action);

        void cancelTasks(List<ExecutionTask> tasks);

        /** The slots leave the job together with their tasks. */
        void giveUpSlots(List<ExecutionTask> tasks, String cause);

        /** The back-off of a region that fails for the first time. */
        RestartBackoff backoffOf(int region);

        long nowMillis();

        /** Some tasks are restarted while the others go on. */
        void partRestarts(String reason);

        /** Whether the results of other units that it reads are there. */
        boolean hasInputs();

        /**
         * Deploys the next attempts of tasks that have ended.
         *
         * @return whether their slots are still there; otherwise nothing has happened
         */
        boolean restartTasks(ExecutionGraph execution, List<ExecutionTask> ended);

        void goToRestarting(ExecutionGraph execution, Failure cause);

        void goToFailing(ExecutionGraph execution, String noRestart, Failure cause);
    }

    private static final long REPEAT_MILLIS = 1_000;

    /** A region that failed. */
    private static final class Region {

        private final int number;
        private final RestartBackoff backoff;
        /** Present from a failure until the next attempts are deployed. */
        private Optional<Failure> cause = Optional.empty();
        /** When the attempt began that failed. */
        private long beganMillis;
        /** Which failure of the region it is. Timers of an earlier one have no effect. */
        private int round;

        private boolean ending;
        /** Tasks that have not ended. */
        private final Set<ExecutionTask> live = new LinkedHashSet<>();

        private boolean counted;
        private boolean delayOver;

        private Region(int number, RestartBackoff backoff) {
            this.number = number;
            this.backoff = backoff;
        }
    }

    private final Context context;
    private final State owner;
    private final ExecutionGraph execution;
    private final Runnable restarted;
    private final long rootCauseWaitMillis;
    private final long cancelTimeoutMillis;
    private final SortedMap<Integer, Region> failedBefore = new TreeMap<>();

    /** @param restarted runs when the next attempts of a region are deployed */
    RegionRestarts(
            Context context,
            State owner,
            SchedulerConfiguration configuration,
            ExecutionGraph execution,
            Runnable restarted) {
        this.context = context;
        this.owner = owner;
        this.execution = execution;
        this.restarted = restarted;
        this.rootCauseWaitMillis = configuration.rootCauseWaitMillis();
        this.cancelTimeoutMillis = configuration.cancelTimeoutMillis();
    }

    /** Whether any region has failed and is not deployed again yet. */
    boolean areFailing() {
        return failedBefore.values().stream().anyMatch(region -> region.cause.isPresent());
    }

    /** Whether the region of the task has failed and is not deployed again yet. */
    boolean isFailing(ExecutionTask task) {
        return !failedBefore.isEmpty()
                && Optional.ofNullable(failedBefore.get(execution.regionOf(task)))
                        .filter(region -> region.cause.isPresent())
                        .isPresent();
    }

    /** Why tasks are being restarted; empty when none are. */
    String reason() {
        return failedBefore.values().stream()
                .filter(region -> region.ending)
                .findFirst()
                .map(this::describe)
                .orElse("");
    }

    private String describe(Region region) {
        int tasks = execution.region(region.number).size();
        return "restarts " + tasks + " of " + execution.tasks().size() + " tasks: "
                + region.cause.map(Failure::text).orElse("");
    }

    /** A task failed whose region had not. A consequence waits for its cause. */
    void failed(ExecutionTask task, Failure cause) {
        Region region = failedBefore.computeIfAbsent(
                execution.regionOf(task), number -> new Region(number, context.backoffOf(number)));
        region.cause = Optional.of(cause);
        region.beganMillis = task.createdMillis();
        region.round++;
        if (cause.consequence()) {
            later(region, rootCauseWaitMillis, () -> begin(region));
        } else {
            begin(region);
        }
    }

    /** A task of a region that has failed changed its state. */
    void changed(ExecutionTask task) {
        Region region = Objects.requireNonNull(failedBefore.get(execution.regionOf(task)));
        if (task.isTerminal()) {
            region.live.remove(task);
        }
        Optional<Failure> root = task.failure().filter(later -> !later.consequence() && !isExpected(region, later));
        if (root.filter(cause -> cause.blame() != Blame.TASK && cause.blame() != Blame.JOB)
                .isPresent()) {
            context.goToRestarting(execution, root.get());
            return;
        }
        if (root.isPresent() && region.cause.filter(Failure::consequence).isPresent()) {
            region.cause = root;
        }
        if (!region.ending && root.isPresent()) {
            begin(region);
        } else {
            check(region);
        }
    }

    /** A task that is being ended may not be there, or its cancellation came before its deployment. */
    private static boolean isExpected(Region region, Failure failure) {
        return region.ending && failure.blame() == Blame.CLUSTER;
    }

    /** Whether the task ended because its region is being ended. */
    boolean isExpected(ExecutionTask task) {
        return isFailing(task)
                && (task.state() == TaskState.CANCELED
                        || task.failure()
                                .filter(failure -> isExpected(
                                        Objects.requireNonNull(failedBefore.get(execution.regionOf(task))), failure))
                                .isPresent());
    }

    private void later(Region region, long delayMillis, Runnable action) {
        int round = region.round;
        context.runLater(owner, delayMillis, () -> {
            if (region.round == round && region.cause.isPresent()) {
                action.run();
            }
        });
    }

    private void begin(Region region) {
        if (region.ending) {
            return;
        }
        region.ending = true;
        long delayMillis = region.backoff.nextDelay(context.nowMillis() - region.beganMillis);
        if (!region.cause.orElseThrow().consequence() && isOver(region)) {
            return;
        }
        execution.region(region.number).stream()
                .filter(task -> !task.isTerminal())
                .forEach(region.live::add);
        context.partRestarts(describe(region));
        cancel(region);
        later(region, cancelTimeoutMillis, () -> giveUp(region));
        later(region, delayMillis, () -> {
            region.delayOver = true;
            check(region);
        });
        check(region);
    }

    private void cancel(Region region) {
        if (!region.live.isEmpty()) {
            context.cancelTasks(List.copyOf(region.live));
            later(region, REPEAT_MILLIS, () -> cancel(region));
        }
    }

    /** Counts the failure. Returns whether it was one too many; then the job fails. */
    private boolean isOver(Region region) {
        region.counted = true;
        Failure cause = region.cause.orElseThrow();
        Optional<String> noRestart = region.backoff.countOfPart(cause.blame(), context.nowMillis());
        noRestart.ifPresent(text -> context.goToFailing(execution, text, cause));
        return noRestart.isPresent();
    }

    private void check(Region region) {
        if (!region.ending || !region.live.isEmpty()) {
            return;
        }
        if (region.cause.filter(Failure::consequence).isPresent() && !context.hasInputs()) {
            // It could not read its input: whose fault that is turns out later.
            context.goToRestarting(execution, region.cause.get());
            return;
        }
        if (!region.counted && isOver(region) || !region.delayOver) {
            return;
        }
        List<ExecutionTask> ended = execution.region(region.number);
        Failure cause = region.cause.orElseThrow();
        region.cause = Optional.empty();
        region.ending = false;
        region.counted = false;
        region.delayOver = false;
        if (!context.restartTasks(execution, ended)) {
            restartAll(cause, "its tasks cannot stay in their slots");
        } else {
            restarted.run();
        }
    }

    /** The failure counts against the job, or one that a region repeats with each restart of the job would never end it. */
    private void restartAll(Failure cause, String why) {
        context.goToRestarting(execution, new Failure(cause.text() + "; " + why, false, cause.blame(), cause.stack()));
    }

    private void giveUp(Region region) {
        if (!region.live.isEmpty()) {
            String why = "tasks have not ended within " + cancelTimeoutMillis + " ms of their cancellation";
            List<ExecutionTask> stuck = List.copyOf(region.live);
            stuck.forEach(ExecutionTask::canceled);
            restartAll(region.cause.orElseThrow(), why);
            context.giveUpSlots(stuck, why);
        }
    }
}
