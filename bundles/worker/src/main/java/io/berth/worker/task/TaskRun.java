package io.berth.worker.task;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskHandle;
import io.berth.core.api.task.TaskHandle.Outcome;
import io.berth.core.api.task.TaskMetrics;
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
import io.berth.worker.connection.TaskUpdates;
import io.berth.worker.log.TaskLog;
import io.berth.worker.log.TaskLogs;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.osgi.framework.BundleException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One task from its deployment to its end. Its states are reported to the JobMaster in order: RUNNING,
 * READY_TO_COMMIT, then FINISHED, FAILED or CANCELED, each at most once. The runtime is never called on the main
 * thread. Confined to the main thread of the TaskExecutor.
 */
public final class TaskRun {

    private static final Logger LOG = LoggerFactory.getLogger(TaskRun.class);
    private static final Outcome.Failed NO_FAILURE = new Outcome.Failed("", FailureKind.TRANSIENT);
    private static final TaskMetrics NOTHING_YET = new TaskMetrics(List.of(), 0, 0, new TreeMap<>());

    private final WorkerId worker;
    private final TaskDeployment deployment;
    private final ResourceProfile resources;
    private final JobMasterGateway gateway;
    private final TaskUpdates updates;
    private final JobMasterId jobMaster;
    private final MainThread mainThread;
    private final Executor starter;
    private final Consumer<TaskRun> onEnd;
    private final Function<TaskRun, Cancellable> onCancel;
    private final TaskLog log;
    private Optional<Cancellable> watch = Optional.empty();
    private TaskState state = TaskState.DEPLOYING;
    private Optional<TaskHandle> handle = Optional.empty();
    private Optional<List<Committable>> readyEarly = Optional.empty();
    private Optional<TaskMetrics> lastMetrics = Optional.empty();
    private Optional<String> failure = Optional.empty();
    private boolean starting;
    private boolean orphaned;

    TaskRun(
            WorkerId worker,
            TaskDeployment deployment,
            ResourceProfile resources,
            JobConnection connection,
            MainThread mainThread,
            Executor starter,
            Consumer<TaskRun> onEnd,
            Function<TaskRun, Cancellable> onCancel,
            TaskLogs logs) {
        this.worker = worker;
        this.deployment = deployment;
        this.resources = resources;
        this.gateway = connection.gateway();
        this.updates = connection.updates();
        this.jobMaster = connection.jobMaster();
        this.mainThread = mainThread;
        this.starter = starter;
        this.onEnd = onEnd;
        this.onCancel = onCancel;
        log = logs.begin(
                deployment.attempt(),
                deployment.operators().stream().map(ChainedOperator::vertex).toList());
    }

    void start(TaskRuntime runtime, UserCode userCode, Function<String, Optional<String>> secrets) {
        mainThread.whenComplete(
                userCode.acquire(job(), deployment.dispatcher(), deployment.bundles()), (code, failure) -> {
                    if (state.isTerminal()) {
                        return;
                    }
                    if (failure != null) {
                        end(new Outcome.Failed(Failures.text(failure), kindOfBundles(failure)));
                    } else {
                        start(runtime, code, secrets);
                    }
                });
    }

    private void start(TaskRuntime runtime, UserCode.JobCode code, Function<String, Optional<String>> secrets) {
        WorkerTaskContext context = new WorkerTaskContext(
                attempt(),
                resources,
                code,
                secrets,
                gateway,
                committables -> mainThread.execute(() -> readyToCommit(committables)),
                cause -> mainThread.execute(() -> fail(cause)));
        starting = true;
        mainThread.whenComplete(
                CompletableFuture.supplyAsync(() -> log.call(() -> runtime.start(deployment, context)), starter),
                (started, failure) -> {
                    starting = false;
                    if (failure != null) {
                        log.run(() ->
                                LOG.warn("task {}: the runtime did not start it", attempt(), Failures.cause(failure)));
                        end(new Outcome.Failed(
                                "runtime '" + deployment.runtime() + "' did not start the task: "
                                        + Failures.text(failure),
                                FailureKind.TRANSIENT,
                                Failures.stack(Failures.cause(failure))));
                    } else {
                        started(started);
                    }
                });
    }

    private void started(TaskHandle task) {
        handle = Optional.of(task);
        if (state == TaskState.CANCELING) {
            task.cancel();
        } else {
            state = TaskState.RUNNING;
            report(List.of());
            readyEarly.ifPresent(this::readyToCommit);
            readyEarly = Optional.empty();
        }
        mainThread.whenComplete(
                task.outcome(),
                (outcome, failure) -> end(
                        failure == null ? outcome : new Outcome.Failed(Failures.text(failure), FailureKind.TRANSIENT)));
    }

    /** Bundles that do not resolve now will not resolve in the next attempt either. */
    private static FailureKind kindOfBundles(Throwable failure) {
        return Failures.cause(failure).getCause() instanceof BundleException
                ? FailureKind.PERMANENT
                : FailureKind.TRANSIENT;
    }

    private void readyToCommit(List<Committable> committables) {
        if (state == TaskState.DEPLOYING) {
            readyEarly = Optional.of(committables);
        } else if (state == TaskState.RUNNING) {
            state = TaskState.READY_TO_COMMIT;
            report(committables);
        }
    }

    /** Ends the task as CANCELED, unless it ends otherwise first. */
    void cancel() {
        mainThread.assertCurrent();
        if (state.isTerminal() || state == TaskState.CANCELING) {
            return;
        }
        state = TaskState.CANCELING;
        watch = Optional.of(onCancel.apply(this));
        if (handle.isPresent()) {
            handle.get().cancel();
        } else if (!starting) {
            end(new Outcome.Canceled());
        }
    }

    /** Ends the task as FAILED for that cause, unless it ends otherwise first. */
    void fail(String cause) {
        mainThread.assertCurrent();
        if (!state.isTerminal() && state != TaskState.CANCELING) {
            failure = Optional.of(cause);
            cancel();
        }
    }

    /** Lets the task commit and end; ignored unless the task waits for it. */
    public void commit(List<Committable> committables) {
        mainThread.assertCurrent();
        if (state == TaskState.READY_TO_COMMIT) {
            handle.ifPresent(task -> task.commit(committables));
        } else {
            LOG.info("task {}: commit ignored in state {}", attempt(), state);
        }
    }

    private void end(Outcome end) {
        if (state.isTerminal()) {
            return;
        }
        Outcome outcome = end instanceof Outcome.Canceled && failure.isPresent()
                ? new Outcome.Failed(failure.get(), FailureKind.CONSEQUENCE)
                : end;
        Outcome.Failed cause = NO_FAILURE;
        if (outcome instanceof Outcome.Finished) {
            state = TaskState.FINISHED;
        } else if (outcome instanceof Outcome.Canceled) {
            state = TaskState.CANCELED;
        } else if (outcome instanceof Outcome.Failed failed) {
            state = TaskState.FAILED;
            cause = failed;
            boolean consequence = failed.kind() == FailureKind.CONSEQUENCE;
            log.run(() -> LOG.atLevel(consequence ? Level.INFO : Level.WARN)
                    .log("task {} failed{}: {}", attempt(), consequence ? " in consequence" : "", failed.cause()));
        }
        log.end();
        lastMetrics = Optional.of(metrics());
        handle = Optional.empty();
        watch.ifPresent(Cancellable::cancel);
        report(cause, List.of());
        onEnd.accept(this);
    }

    private void report(List<Committable> committables) {
        report(NO_FAILURE, committables);
    }

    private void report(Outcome.Failed failed, List<Committable> committables) {
        LOG.debug("task {}: {}", attempt(), state);
        updates.add(new TaskUpdate(
                worker,
                attempt(),
                state,
                failed.cause(),
                failed.kind(),
                failed.stack(),
                committables,
                metrics(),
                failed.lost()));
    }

    /** The JobMaster is gone: nobody acknowledges the end of the task. */
    void orphan() {
        orphaned = true;
        cancel();
    }

    boolean isOrphaned() {
        return orphaned;
    }

    /** What the task has stored on this worker: nothing unless it has finished. */
    List<PartitionId> results() {
        return state != TaskState.FINISHED
                ? List.of()
                : deployment.outputs().stream()
                        .filter(output -> output.exchange() == Exchange.BLOCKING)
                        .map(output -> new PartitionId(attempt(), output.edge()))
                        .toList();
    }

    public boolean hasEnded() {
        return state.isTerminal();
    }

    public AttemptId attempt() {
        return deployment.attempt();
    }

    public JobId job() {
        return deployment.attempt().job();
    }

    JobMasterId jobMaster() {
        return jobMaster;
    }

    public AllocationId allocation() {
        return deployment.allocation();
    }

    TaskStatus status() {
        return new TaskStatus(attempt(), state, metrics());
    }

    private TaskMetrics metrics() {
        return lastMetrics.orElseGet(() -> handle.map(TaskHandle::metrics).orElse(NOTHING_YET));
    }
}
