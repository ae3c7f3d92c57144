package io.berth.core.scheduler;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.fake.FakeRpc;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService.Served;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.CommitAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentVerdict;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A worker whose tasks run when they are deployed and end when they are canceled, unless the test says otherwise. */
public final class FakeWorker {

    final WorkerId id;
    final WorkerSessionId session;
    final SortedMap<AttemptId, TaskDeployment> deployments = new TreeMap<>();
    final SortedMap<AttemptId, TaskState> tasks = new TreeMap<>();
    final List<AttemptId> canceled = new ArrayList<>();
    final List<Commit> commits = new ArrayList<>();
    public final List<AllocationId> freed = new ArrayList<>();
    final List<PartitionId> released = new ArrayList<>();
    /** What it keeps. */
    final SortedSet<PartitionId> results = new TreeSet<>();

    final List<Boolean> disconnected = new ArrayList<>();
    /** The registrations that were ended. */
    final List<Long> ended = new ArrayList<>();

    final List<Long> reports = new ArrayList<>();
    /** The ResourceManagers that heartbeats named. */
    public final List<EndpointRef> leaders = new ArrayList<>();

    /** The resources of four slots. */
    ResourceProfile total = Jobs.SLOT.times(4);

    int maxChannelEnds;
    /** The slots that the last heartbeat listed. */
    List<AllocationId> listedSlots = List.of();

    boolean away;
    boolean silent;
    boolean ignoresCancel;
    boolean failsCommits;
    /** Whether commits are refused because they may be too old. */
    boolean wasPaused;

    boolean finishesAtOnce;
    String refusal = "";
    DeploymentVerdict refusing = DeploymentVerdict.REFUSED;
    long offerNumber;
    /** What its tasks did so far, for their next reports. */
    Optional<TaskMetrics.Activity> activity = Optional.empty();

    Runnable whenDisconnected = () -> {};

    final TaskExecutorGateway gateway = PartialGateway.of(TaskExecutorGateway.class, this);
    private JobMasterGateway jobMaster;
    private final Served served;

    FakeWorker(FakeRpc rpc, JobMasterGateway jobMaster, String name, long session) {
        this.id = new WorkerId(name);
        this.session = new WorkerSessionId(new FencingToken(session, new UUID(0, session)));
        this.jobMaster = jobMaster;
        this.served = rpc.serve(EndpointName.worker(id), this.session.token(), gateway);
    }

    /** It cannot be called from now on. */
    void close() {
        served.close();
    }

    /** Ends the tasks and registers at the next JobMaster of the job. */
    CompletionStage<RegistrationResponse> moveTo(JobMasterGateway next) {
        tasks.clear();
        jobMaster = next;
        return registerAt();
    }

    RegistrationResponse register() {
        return Harness.now(registerAt());
    }

    private CompletionStage<RegistrationResponse> registerAt() {
        return jobMaster.registerWorker(
                new WorkerAtJob(id, session, served.endpoint(), id + ":9000", total, maxChannelEnds));
    }

    /** Offers slots and returns the accepted allocations. */
    public List<AllocationId> offer(SlotOffer... offers) {
        return Harness.now(offerSlots(List.of(offers))).accepted();
    }

    CompletionStage<AcceptedSlots> offerSlots(List<SlotOffer> offers) {
        return jobMaster.offerSlots(new SlotOffers(id, session, ++offerNumber, offers));
    }

    public List<AllocationId> offer(int from, int to, String group, ResourceProfile profile) {
        SlotOffer[] offers = new SlotOffer[to - from + 1];
        for (int number = from; number <= to; number++) {
            offers[number - from] = offer(number, group, profile);
        }
        return offer(offers);
    }

    public static SlotOffer offer(int number, String group, ResourceProfile profile) {
        return offer(number, JobUnit.ALL, group, profile);
    }

    static SlotOffer offer(int number, String unit, String group, ResourceProfile profile) {
        return new SlotOffer(new AllocationId(1, number), unit, group, profile, 7);
    }

    void update(AttemptId attempt, TaskState state) {
        update(attempt, state, "", FailureKind.TRANSIENT, List.of());
    }

    void fail(AttemptId attempt, String cause, boolean consequence) {
        fail(attempt, cause, consequence ? FailureKind.CONSEQUENCE : FailureKind.TRANSIENT);
    }

    void fail(AttemptId attempt, String cause, FailureKind kind) {
        update(attempt, TaskState.FAILED, cause, kind, List.of());
    }

    /** The task throws an exception with that stack trace. */
    void fail(AttemptId attempt, String cause, String stack) {
        update(attempt, TaskState.FAILED, cause, FailureKind.TRANSIENT, stack, List.of());
    }

    /** The task could not read a stored result. */
    void cannotRead(AttemptId attempt, PartitionId lost) {
        tasks.remove(attempt);
        TaskMetrics metrics = new TaskMetrics(List.of(), 0, 0, new TreeMap<>());
        jobMaster.updateTask(new TaskUpdate(
                id,
                attempt,
                TaskState.FAILED,
                "partition " + lost + " is gone",
                FailureKind.CONSEQUENCE,
                "",
                List.of(),
                metrics,
                Optional.of(lost)));
    }

    void ready(AttemptId attempt, Committable... committables) {
        update(attempt, TaskState.READY_TO_COMMIT, "", FailureKind.TRANSIENT, List.of(committables));
    }

    private void update(
            AttemptId attempt, TaskState state, String cause, FailureKind kind, List<Committable> committables) {
        update(attempt, state, cause, kind, "", committables);
    }

    private void update(
            AttemptId attempt,
            TaskState state,
            String cause,
            FailureKind kind,
            String stack,
            List<Committable> committables) {
        tasks.put(attempt, state);
        if (state.isTerminal()) {
            tasks.remove(attempt);
        }
        if (state == TaskState.FINISHED && deployments.containsKey(attempt)) {
            deployments.get(attempt).outputs().stream()
                    .filter(output -> output.exchange() == Exchange.BLOCKING)
                    .forEach(output -> results.add(new PartitionId(attempt, output.edge())));
        }
        TaskMetrics metrics = new TaskMetrics(
                List.of(new TaskMetrics.OperatorMetrics(attempt.chain(), 10, 20)), 5, 6, new TreeMap<>());
        jobMaster.updateTask(new TaskUpdate(id, attempt, state, cause, kind, stack, committables, metrics));
    }

    private <T> CompletionStage<T> answer(T value) {
        if (silent) {
            return new CompletableFuture<>();
        }
        return away
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.UNREACHABLE, "it is away"))
                : CompletableFuture.completedFuture(value);
    }

    private DeploymentVerdict verdict() {
        return refusal.isEmpty() ? DeploymentVerdict.ACCEPTED : refusing;
    }

    public CompletionStage<DeploymentAnswers> deployTasks(Deployments batch) {
        if (away || silent) {
            return answer(new DeploymentAnswers(List.of()));
        }
        List<DeploymentAnswer> answers = new ArrayList<>();
        for (TaskDeployment task : batch.tasks()) {
            answers.add(new DeploymentAnswer(task.attempt(), verdict(), refusal));
            if (refusal.isEmpty()) {
                deployments.put(task.attempt(), task);
                update(task.attempt(), TaskState.RUNNING);
                if (finishesAtOnce) {
                    update(task.attempt(), TaskState.FINISHED);
                }
            }
        }
        return answer(new DeploymentAnswers(answers));
    }

    public CompletionStage<Acknowledge> cancelTasks(JobMasterId sender, List<AttemptId> attempts) {
        if (!away && !silent) {
            canceled.addAll(attempts);
            attempts.stream()
                    .filter(attempt -> !ignoresCancel && tasks.containsKey(attempt))
                    .forEach(attempt -> update(attempt, TaskState.CANCELED));
        }
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<CommitAnswer> commitTask(Commit commit) {
        if (!away && !silent) {
            commits.add(commit);
        }
        return failsCommits
                ? CompletableFuture.failedFuture(new RpcException(RpcException.Kind.FAILED, "no commits now"))
                : answer(new CommitAnswer(!wasPaused));
    }

    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        listedSlots = allocated.allocations();
        reports.add(allocated.number());
        allocated.resourceManager().ifPresent(leaders::add);
        return answer(new TaskReport(
                tasks.entrySet().stream()
                        .map(task -> new TaskStatus(
                                task.getKey(),
                                task.getValue(),
                                new TaskMetrics(
                                        List.of(new TaskMetrics.OperatorMetrics(
                                                task.getKey().chain(), 100, 200)),
                                        50,
                                        60,
                                        new TreeMap<>(Collections.singletonMap("words", 3L)),
                                        activity)))
                        .toList(),
                results.size()));
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree slots) {
        freed.addAll(slots.allocations());
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> releaseResults(JobId job, JobMasterId sender, List<PartitionId> partitions) {
        released.addAll(partitions);
        results.removeAll(partitions);
        return answer(Acknowledge.ACKNOWLEDGE);
    }

    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId sender, InstanceId registration, boolean terminal, String cause) {
        whenDisconnected.run();
        ended.add(registration.number());
        disconnected.add(terminal);
        return answer(Acknowledge.ACKNOWLEDGE);
    }
}
