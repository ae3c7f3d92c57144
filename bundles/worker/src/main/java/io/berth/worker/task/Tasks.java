package io.berth.worker.task;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.task.TaskState;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.worker.code.UserCode;
import io.berth.worker.connection.JobConnection;
import io.berth.worker.log.TaskLogs;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * The tasks of a worker. A task that has ended remains until its JobMaster has acknowledged the end, so that a report
 * never omits it before. Confined to the main thread of the TaskExecutor.
 */
public final class Tasks {

    private static final int MAX_CANCELED_EARLY = 1_000;

    private final WorkerId worker;
    private final Runtimes runtimes;
    private final UserCode userCode;
    private final Function<String, Optional<String>> secrets;
    private final MainThread mainThread;
    private final Executor starter;
    private final Consumer<TaskRun> onEnd;
    private final Function<TaskRun, Cancellable> onCancel;
    private final TaskLogs logs;
    private final SortedMap<AttemptId, TaskRun> runs = new TreeMap<>();
    private final Set<Canceled> canceledEarly = new LinkedHashSet<>();

    /** The task runtimes of the process by name. Called on the main thread of the TaskExecutor. */
    public interface Runtimes {

        Optional<TaskRuntime> named(String name);

        /** For people. */
        List<String> names();
    }

    /**
     * @param secrets from a name to its secret
     * @param starter calls the runtimes
     * @param onEnd called when nothing of a task runs
     * @param onCancel starts a timer for a task that must end; canceled when it has ended
     * @param logs what tasks print and log
     */
    public Tasks(
            WorkerId worker,
            Runtimes runtimes,
            UserCode userCode,
            Function<String, Optional<String>> secrets,
            MainThread mainThread,
            Executor starter,
            Consumer<TaskRun> onEnd,
            Function<TaskRun, Cancellable> onCancel,
            TaskLogs logs) {
        this.worker = worker;
        this.runtimes = runtimes;
        this.userCode = userCode;
        this.secrets = secrets;
        this.mainThread = mainThread;
        this.starter = starter;
        this.onEnd = onEnd;
        this.onCancel = onCancel;
        this.logs = logs;
    }

    /** Cancels a task; one that is not deployed yet must not start later. */
    public void cancel(AttemptId attempt, JobMasterId jobMaster) {
        mainThread.assertCurrent();
        Optional<TaskRun> run = run(attempt, jobMaster);
        run.ifPresent(TaskRun::cancel);
        if (run.isEmpty()) {
            canceledEarly.add(new Canceled(attempt, jobMaster));
            if (canceledEarly.size() > MAX_CANCELED_EARLY) {
                canceledEarly.remove(canceledEarly.iterator().next());
            }
        }
    }

    /**
     * Deploys a task. JobMasters of one job number their attempts alike: an attempt with the name of a task that is
     * still ending is refused for now.
     *
     * @param resources size of the slot
     */
    public DeploymentAnswer deploy(TaskDeployment deployment, ResourceProfile resources, JobConnection connection) {
        mainThread.assertCurrent();
        AttemptId attempt = deployment.attempt();
        Optional<TaskRuntime> runtime = runtimes.named(deployment.runtime());
        if (runtime.isEmpty()) {
            return new DeploymentAnswer(
                    attempt,
                    DeploymentVerdict.REFUSED,
                    "task runtime '" + deployment.runtime() + "' is not on worker " + worker + ": there are "
                            + runtimes.names());
        }
        TaskRun before = runs.get(attempt);
        if (before != null && !before.hasEnded()) {
            return notNow(attempt, "of JobMaster " + before.jobMaster() + " is still ending on worker " + worker);
        }
        if (canceledEarly.contains(new Canceled(attempt, connection.jobMaster()))) {
            return notNow(attempt, "was canceled before its deployment came to worker " + worker);
        }
        TaskRun run = new TaskRun(
                worker, deployment, resources, connection, mainThread, starter, this::ended, onCancel, logs);
        runs.put(run.attempt(), run);
        run.start(runtime.get(), userCode, secrets);
        return DeploymentAnswer.accepted(attempt);
    }

    private static DeploymentAnswer notNow(AttemptId attempt, String why) {
        return new DeploymentAnswer(attempt, DeploymentVerdict.NOT_NOW, "task " + attempt + " " + why);
    }

    private void ended(TaskRun run) {
        if (run.isOrphaned()) {
            runs.remove(run.attempt(), run);
        }
        onEnd.accept(run);
    }

    /** The JobMaster has received that state of a task. */
    public void acknowledged(AttemptId attempt, TaskState state) {
        if (state.isTerminal()) {
            runs.remove(attempt);
        }
    }

    public Optional<TaskRun> run(AttemptId attempt, JobMasterId jobMaster) {
        return Optional.ofNullable(runs.get(attempt))
                .filter(run -> run.jobMaster().equals(jobMaster));
    }

    /** Fails the tasks of a slot, unless they are ending already. */
    public void failIn(AllocationId allocation, String cause) {
        matching(run -> run.allocation().equals(allocation)).forEach(run -> run.fail(cause));
    }

    public void cancelAll() {
        List.copyOf(runs.values()).forEach(TaskRun::cancel);
    }

    /** Ends the tasks of that JobMaster, without reports. */
    public void orphan(JobId job, JobMasterId jobMaster) {
        for (TaskRun run :
                matching(run -> run.job().equals(job) && run.jobMaster().equals(jobMaster))) {
            if (run.hasEnded()) {
                runs.remove(run.attempt());
            } else {
                run.orphan();
            }
        }
    }

    public boolean anyAlive() {
        return runs.values().stream().anyMatch(run -> !run.hasEnded());
    }

    public boolean anyAlive(JobId job) {
        return runs.values().stream().anyMatch(run -> run.job().equals(job) && !run.hasEnded());
    }

    public List<TaskStatus> statuses(JobId job, JobMasterId jobMaster) {
        return matching(run -> run.job().equals(job) && run.jobMaster().equals(jobMaster)).stream()
                .map(TaskRun::status)
                .toList();
    }

    private List<TaskRun> matching(Predicate<TaskRun> condition) {
        return runs.values().stream().filter(condition).toList();
    }

    private record Canceled(AttemptId attempt, JobMasterId jobMaster) {}
}
