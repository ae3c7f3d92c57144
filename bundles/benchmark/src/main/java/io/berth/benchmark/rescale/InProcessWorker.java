package io.berth.benchmark.rescale;

import io.berth.benchmark.stub.ReportedSlots;
import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.PartialGateway;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.DeploymentAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.Deployments;
import io.berth.core.api.gateway.TaskExecutorGateway.JobMasterChange;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotsToFree;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.FailureKind;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A worker that grants each slot and offers it to its job, and whose tasks run as soon as they are deployed and end as soon
 * as they are canceled. Confined to the thread of the calls. Its gateway is made with {@link PartialGateway}.
 */
final class InProcessWorker {

    private static final TaskMetrics NO_METRICS = new TaskMetrics(List.of(), 0, 0, new TreeMap<>());
    private static final String DATA_ADDRESS = "127.0.0.1:1";

    private final RpcService rpc;
    private final Observer observer;
    private final ResourceProfile total;
    private final int defaultSlots;
    private final WorkerId id;
    private final WorkerSessionId session;
    private final RpcService.Served served;
    private final SortedMap<AllocationId, SlotRequest> slots = new TreeMap<>();
    private final SortedSet<AttemptId> tasks = new TreeSet<>();
    private InstanceId instance = new InstanceId(0);
    private Optional<ResourceManagerGateway> resourceManager = Optional.empty();
    private Optional<CompletionStage<JobMasterGateway>> jobMaster = Optional.empty();
    private long offers;

    /** Serves its gateway. */
    InProcessWorker(int number, ResourceProfile slot, int defaultSlots, RpcService rpc, Observer observer) {
        this.rpc = rpc;
        this.observer = observer;
        this.total = slot.times(defaultSlots);
        this.defaultSlots = defaultSlots;
        this.id = new WorkerId("worker-" + number);
        this.session = new WorkerSessionId(new FencingToken(1, new UUID(1, number)));
        this.served =
                rpc.serve(EndpointName.worker(id), session.token(), PartialGateway.of(TaskExecutorGateway.class, this));
    }

    WorkerId id() {
        return id;
    }

    /** Completes when the ResourceManager has registered it. */
    CompletionStage<Void> register(EndpointRef leader) {
        ResourceManagerGateway gateway = rpc.resourceManager(leader);
        resourceManager = Optional.of(gateway);
        return gateway.registerWorker(new WorkerRegistration(
                        id,
                        session,
                        served.endpoint(),
                        DATA_ADDRESS,
                        total,
                        defaultSlots,
                        "standalone",
                        "",
                        WorkerLabels.NONE,
                        report()))
                .thenAccept(answer -> instance = accepted(answer));
    }

    /** Its process ends in good order. */
    CompletionStage<Acknowledge> end() {
        observer.slotsFreed(slots.size());
        slots.clear();
        tasks.clear();
        served.close();
        return resourceManager.orElseThrow().disconnectWorker(instance, "its process ends");
    }

    private static InstanceId accepted(RegistrationResponse answer) {
        if (answer instanceof RegistrationResponse.Accepted accepted) {
            return accepted.instance();
        }
        throw new IllegalStateException("a registration was rejected: " + answer);
    }

    private SlotReport report() {
        return ReportedSlots.of(slots.values().stream());
    }

    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        List<SlotRequest> asked = requests.requests();
        observer.slotsRequested(asked.size());
        List<SlotRequestAnswer> answers = new ArrayList<>();
        for (SlotRequest slot : asked) {
            slots.put(slot.allocation(), slot);
            answers.add(new SlotRequestAnswer(slot.allocation(), ""));
        }
        asked.stream()
                .findFirst()
                .ifPresent(slot -> atJobMaster(slot.jobMaster()).thenAccept(gateway -> offer(gateway, asked)));
        return CompletableFuture.completedFuture(new SlotRequestAnswers(answers));
    }

    private CompletionStage<JobMasterGateway> atJobMaster(EndpointRef endpoint) {
        if (jobMaster.isEmpty()) {
            JobMasterGateway gateway = rpc.jobMaster(endpoint);
            jobMaster = Optional.of(
                    gateway.registerWorker(new WorkerAtJob(id, session, served.endpoint(), DATA_ADDRESS, total, 0))
                            .thenApply(answer -> {
                                accepted(answer);
                                return gateway;
                            }));
        }
        return jobMaster.get();
    }

    private void offer(JobMasterGateway gateway, List<SlotRequest> offered) {
        List<SlotOffer> content = offered.stream()
                .map(slot ->
                        new SlotOffer(slot.allocation(), slot.unit(), slot.group(), slot.profile(), slot.decision()))
                .toList();
        gateway.offerSlots(new SlotOffers(id, session, ++offers, content)).thenAccept(answer -> {
            observer.slotsAccepted();
            free(offered.stream()
                    .map(SlotRequest::allocation)
                    .filter(slot -> !answer.accepted().contains(slot))
                    .toList());
        });
    }

    private void free(List<AllocationId> freed) {
        for (AllocationId allocation : freed) {
            SlotRequest slot = slots.remove(allocation);
            if (slot != null) {
                observer.slotsFreed(1);
                resourceManager.orElseThrow().slotFreed(new SlotFreed(instance, allocation, slot.job(), "it is free"));
            }
        }
    }

    public CompletionStage<Acknowledge> freeSlots(SlotsToFree freed) {
        free(freed.allocations());
        return acknowledge();
    }

    public CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments) {
        List<DeploymentAnswer> answers = new ArrayList<>();
        deployments.tasks().forEach(task -> {
            AttemptId attempt = task.attempt();
            observer.deployed(attempt);
            tasks.add(attempt);
            answers.add(DeploymentAnswer.accepted(attempt));
            update(attempt, TaskState.RUNNING, () -> observer.running(attempt));
        });
        return CompletableFuture.completedFuture(new DeploymentAnswers(answers));
    }

    public CompletionStage<Acknowledge> cancelTasks(JobMasterId sender, List<AttemptId> attempts) {
        observer.canceled();
        attempts.stream().filter(tasks::remove).forEach(task -> update(task, TaskState.CANCELED, observer::ended));
        return acknowledge();
    }

    /** @param known runs when the JobMaster has processed it */
    private void update(AttemptId attempt, TaskState state, Runnable known) {
        jobMaster
                .orElseThrow()
                .thenAccept(gateway -> gateway.updateTask(new TaskUpdate(
                                id, attempt, state, "", FailureKind.TRANSIENT, "", List.of(), NO_METRICS))
                        .thenRun(known));
    }

    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        return CompletableFuture.completedFuture(new TaskReport(
                tasks.stream()
                        .map(task -> new TaskStatus(task, TaskState.RUNNING, NO_METRICS))
                        .toList(),
                0));
    }

    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId leader) {
        return CompletableFuture.completedFuture(report());
    }

    public CompletionStage<Acknowledge> leave(ResourceManagerId leader, long number, WorkerLeaves leaving) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return acknowledge();
    }

    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId leader, String cause) {
        return acknowledge();
    }

    /** The job has no slot here, until it gets one again. */
    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId sender, InstanceId registration, boolean terminal, String cause) {
        jobMaster = Optional.empty();
        return acknowledge();
    }

    /** The measurement ends it. */
    public CompletionStage<Boolean> exit(ResourceManagerId leader, boolean force, String cause) {
        return CompletableFuture.completedFuture(false);
    }

    private static CompletionStage<Acknowledge> acknowledge() {
        return CompletableFuture.completedFuture(Acknowledge.ACKNOWLEDGE);
    }
}
