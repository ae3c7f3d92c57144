package io.berth.core.scheduler.execution;

import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.ProducerColumns;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.execution.ExecutionTask.Failure;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.peers.JobWorkers;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls of a job to its workers, batched per worker. Confined to the main thread of the job. */
public final class TaskCalls {

    private static final Logger LOG = LoggerFactory.getLogger(TaskCalls.class);
    /** Tasks and producers in one message, a list of producers once: keeps it well below the message size limit. */
    private static final int WEIGHT_OF_MESSAGE = 5_000;

    /** So many producers in columns weigh as much as one that is not. */
    private static final int PRODUCERS_IN_COLUMNS = 16;

    private static final long COMMIT_RETRY_MILLIS = 1_000;

    /** Receives failures of tasks. */
    public interface Listener {

        /** The worker does not run the task. */
        void failed(ExecutionTask task, Failure cause);

        /** The task must end; the worker may run it. */
        void failing(ExecutionTask task, Failure cause);

        /** The worker does not run the task, and the slot is not the job's. */
        void slotNotOwned(ExecutionTask task, String cause);
    }

    private final JobIdentity job;
    private final MainThread thread;
    private final JobWorkers workers;
    private final Listener listener;

    public TaskCalls(JobIdentity job, MainThread thread, JobWorkers workers, Listener listener) {
        this.job = job;
        this.thread = thread;
        this.workers = workers;
        this.listener = listener;
    }

    /** Deploys tasks. */
    public void deploy(List<ExecutionTask> tasks, Function<ExecutionTask, TaskDeployment> deployment) {
        SortedMap<WorkerId, List<ExecutionTask>> byWorker = new TreeMap<>();
        tasks.forEach(task -> byWorker.computeIfAbsent(task.worker(), worker -> new ArrayList<>())
                .add(task));
        tasks.forEach(ExecutionTask::deploying);
        byWorker.forEach((worker, batch) -> {
            Optional<TaskExecutorGateway> gateway = workers.gateway(worker);
            if (gateway.isEmpty()) {
                Failure gone = new Failure("worker " + worker + " is no longer registered", false, Blame.CLUSTER);
                thread.execute(() -> batch.forEach(task -> listener.failed(task, gone)));
                return;
            }
            List<ExecutionTask> message = new ArrayList<>();
            List<TaskDeployment> content = new ArrayList<>();
            Set<List<Producer>> lists = Collections.newSetFromMap(new IdentityHashMap<>());
            int weight = 0;
            for (ExecutionTask task : batch) {
                TaskDeployment next = deployment.apply(task);
                if (!content.isEmpty() && weight + weight(next, lists) > WEIGHT_OF_MESSAGE) {
                    send(gateway.get(), worker, message, content);
                    message = new ArrayList<>();
                    content = new ArrayList<>();
                    lists.clear();
                    weight = 0;
                }
                message.add(task);
                content.add(next);
                weight += weight(next, lists);
                next.inputs().forEach(input -> lists.add(input.producers()));
            }
            send(gateway.get(), worker, message, content);
        });
    }

    /** @param lists of producers that the message has anyway */
    private static int weight(TaskDeployment task, Set<List<Producer>> lists) {
        return 1
                + task.inputs().stream()
                        .map(Input::producers)
                        .filter(producers -> !lists.contains(producers))
                        .mapToInt(TaskCalls::weight)
                        .sum();
    }

    private static int weight(List<Producer> producers) {
        return ProducerColumns.behind(producers).isPresent()
                ? producers.size() / PRODUCERS_IN_COLUMNS + 1
                : producers.size();
    }

    private void send(
            TaskExecutorGateway gateway, WorkerId worker, List<ExecutionTask> tasks, List<TaskDeployment> content) {
        thread.whenComplete(gateway.deployTasks(new Deployments(job.jobMaster(), content)), (answers, failure) -> {
            for (int index = 0; index < tasks.size(); index++) {
                ExecutionTask task = tasks.get(index);
                if (failure != null) {
                    String text = "deployment of " + task.describe() + " failed: " + Failures.text(failure);
                    listener.failing(
                            task, new Failure(text, false, isTransportFailure(failure) ? Blame.CLUSTER : Blame.TASK));
                    continue;
                }
                DeploymentAnswer answer = answers.answers().get(index);
                String text = "worker " + worker + " refused task " + task.describe() + ": " + answer.refusal();
                switch (answer.verdict()) {
                    case ACCEPTED -> task.acknowledged();
                    case SLOT_NOT_OWNED -> listener.slotNotOwned(task, text);
                    case NOT_NOW -> listener.failed(task, new Failure(text, false, Blame.CLUSTER));
                    case REFUSED -> listener.failed(task, new Failure(text, false, Blame.TASK));
                }
            }
        });
    }

    private static boolean isTransportFailure(Throwable failure) {
        return Failures.isTransient(failure)
                || Failures.isGone(failure)
                || Failures.kind(failure).equals(Optional.of(RpcException.Kind.DENIED));
    }

    /** Cancels tasks; best effort, repeated by the caller until they have ended. */
    public void cancel(Collection<AttemptId> attempts, Function<AttemptId, WorkerId> workerOf) {
        SortedMap<WorkerId, List<AttemptId>> byWorker = new TreeMap<>();
        attempts.forEach(attempt -> byWorker.computeIfAbsent(workerOf.apply(attempt), worker -> new ArrayList<>())
                .add(attempt));
        byWorker.forEach((worker, batch) -> workers.gateway(worker).ifPresent(gateway -> {
            thread.whenComplete(gateway.cancelTasks(job.jobMaster(), batch), (done, failure) -> {
                if (failure != null) {
                    LOG.debug("job {}: cancel on worker {} failed: {}", job.id(), worker, Failures.text(failure));
                }
            });
        }));
    }

    /**
     * Requests the commit of a task, again if the call may have been lost, while the task waits for it.
     *
     * @param wanted whether the task should still commit: false after a restart
     */
    public void commit(ExecutionTask task, List<Committable> committables, BooleanSupplier wanted) {
        task.committing();
        if (task.isTerminal() || !wanted.getAsBoolean()) {
            return;
        }
        workers.commit(task.worker(), task.attempt(), committables)
                .ifPresent(call -> thread.whenComplete(call, (answer, failure) -> {
                    if (task.isTerminal()) {
                        return;
                    }
                    if (failure == null ? !answer.inTime() : Failures.isTransient(failure)) {
                        thread.schedule(COMMIT_RETRY_MILLIS, () -> commit(task, committables, wanted));
                    } else if (failure != null) {
                        listener.failing(
                                task,
                                new Failure(
                                        "commit of " + task.describe() + " failed: " + Failures.text(failure),
                                        false,
                                        Failures.isGone(failure) ? Blame.CLUSTER : Blame.TASK));
                    }
                }));
    }

    /**
     * Returns slots to their workers; heartbeats make up for a lost call.
     *
     * @param answered receives the slots of each worker when it has answered, or cannot be told
     */
    public void freeSlots(List<PoolSlot> slots, String cause, Consumer<List<AllocationId>> answered) {
        SortedMap<WorkerId, List<AllocationId>> byWorker = new TreeMap<>();
        slots.forEach(slot -> byWorker.computeIfAbsent(slot.worker(), worker -> new ArrayList<>())
                .add(slot.allocation()));
        byWorker.forEach((worker, allocations) -> {
            LOG.info("job {}: gives {} slots back to worker {}: {}", job.id(), allocations.size(), worker, cause);
            workers.gateway(worker)
                    .ifPresentOrElse(
                            gateway -> thread.whenComplete(
                                    gateway.freeSlots(new SlotsToFree(job.id(), job.jobMaster(), allocations, cause)),
                                    (done, failure) -> answered.accept(allocations)),
                            () -> answered.accept(allocations));
        });
    }
}
