package io.berth.worker;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.WorkerLeaves;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskRuntime;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.worker.code.CodeLeases;
import io.berth.worker.code.UserCode;
import io.berth.worker.connection.JobConnection;
import io.berth.worker.connection.ResourceManagerConnection;
import io.berth.worker.settings.WorkerSettings;
import io.berth.worker.slot.Slot;
import io.berth.worker.slot.SlotTable;
import io.berth.worker.store.KeptAllocations;
import io.berth.worker.task.KeptResults;
import io.berth.worker.task.TaskRun;
import io.berth.worker.task.Tasks;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TaskExecutor of a worker (FLIP-6): keeps slots for jobs, offers them to JobMasters and runs their tasks. Only
 * the worker knows its slots for certain: what it does not report, it does not have. The gateway may be called on any
 * thread; the state is confined to one main thread.
 */
final class TaskExecutor implements TaskExecutorGateway {

    private static final Logger LOG = LoggerFactory.getLogger(TaskExecutor.class);

    private final WorkerSettings settings;
    private final Clock clock;
    private final long startedMillis;
    private final Departure departure;
    private final NumberedMessages relabels = new NumberedMessages();
    /** As the command line or an operator gave them. */
    private WorkerLabels attributes;

    private final WorkerAtJob self;
    private final MainThread mainThread;
    private final SlotTable slots;
    private final KeptAllocations kept;
    private final Tasks tasks;
    private final KeptResults results;
    private final LogReading logs;
    private final ResourceManagerConnection resourceManager;
    private final SlotRelease release;
    private final JobConnections jobs;
    private final SlotGranting granting;
    private final WorkerShutdown ending;

    /**
     * @param endpoint where this gateway is served; its token is the session
     * @param exchange the runtime from which other workers receive data
     */
    TaskExecutor(
            WorkerSettings settings,
            EndpointRef endpoint,
            TaskRuntime exchange,
            MainThread mainThread,
            TaskExecutorNode.Environment environment) {
        this.settings = settings;
        this.attributes = settings.labels();
        this.clock = environment.clock();
        this.startedMillis = clock.millis();
        this.departure = new Departure(settings.worker(), clock);
        this.self = new WorkerAtJob(
                settings.worker(),
                new WorkerSessionId(endpoint.token()),
                endpoint,
                exchange.dataAddress(),
                settings.total(),
                exchange.maxChannelEnds());
        this.mainThread = mainThread;
        UserCode userCode = environment.userCode().apply(mainThread);
        this.slots = new SlotTable(
                settings.total(),
                settings.defaultSlots(),
                mainThread,
                settings.slotTimeoutMillis(),
                slot -> free(slot, "no JobMaster accepted it within " + settings.slotTimeoutMillis() + " ms"));
        this.kept = new KeptAllocations(
                settings.worker(), environment.allocations(), environment.files(), mainThread, this::toKeep);
        this.tasks = new Tasks(
                settings.worker(),
                environment.runtimes(),
                userCode,
                environment.secrets(),
                mainThread,
                environment.starter(),
                this::taskEnded,
                run -> mainThread.schedule(settings.taskStuckMillis(), () -> taskCanceled(run)),
                environment.logs());
        this.results = new KeptResults(
                settings.worker(),
                environment.runtimes(),
                mainThread,
                environment.starter(),
                settings.slotTimeoutMillis());
        this.logs = new LogReading(environment.logs(), environment.files());
        CodeLeases code = new CodeLeases(
                userCode, mainThread, settings.bundleCacheMillis(), job -> slots.holds(job) || tasks.anyAlive(job));
        this.resourceManager = new ResourceManagerConnection(
                settings, environment.rpc(), mainThread, clock, new ResourceManagerContext());
        this.release = new SlotRelease(
                settings.worker(),
                slots,
                tasks,
                code,
                kept,
                resourceManager,
                job -> connection(job).isPresent());
        this.jobs = new JobConnections(
                self, settings, environment, mainThread, slots, tasks, results, code, release, this::isEnding);
        this.granting =
                new SlotGranting(settings.worker(), slots, kept, resourceManager, jobs, release, this::isEnding);
        this.ending = new WorkerShutdown(
                settings.worker(),
                mainThread,
                tasks::anyAlive,
                this::cancelAll,
                resourceManager::close,
                environment.process());
    }

    /** Restores the slots of the previous process, then starts to register. */
    void start() {
        mainThread.whenComplete(kept.load(), (allocations, failure) -> {
            if (!ending.isAnnounced()) {
                granting.restore(allocations);
                resourceManager.start();
            }
        });
    }

    /** Another component names the leading ResourceManager. Any thread. */
    void resourceManagerLeads(EndpointRef resourceManagerEndpoint) {
        mainThread.execute(() -> resourceManager.leads(resourceManagerEndpoint));
    }

    /**
     * Leaves the ResourceManager and cancels all tasks; completes when they have ended, or after two seconds.
     * Idempotent. Any thread.
     */
    CompletionStage<Void> close(String cause) {
        mainThread.execute(() -> ending.begin(cause));
        return ending.ended();
    }

    @Override
    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        return mainThread.call(() -> granting.request(requests)).thenCompose(Function.identity());
    }

    @Override
    public CompletionStage<Acknowledge> freeSlots(SlotsToFree toFree) {
        return run(() -> {
            for (AllocationId allocation : toFree.allocations()) {
                slots.owned(allocation, toFree.job(), toFree.jobMaster()).ifPresent(slot -> free(slot, toFree.cause()));
            }
        });
    }

    @Override
    public CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments) {
        return mainThread.call(() -> new DeploymentAnswers(deployments.tasks().stream()
                .map(task -> deploy(deployments.jobMaster(), task))
                .toList()));
    }

    private DeploymentAnswer deploy(JobMasterId from, TaskDeployment task) {
        AttemptId attempt = task.attempt();
        Optional<JobConnection> connection = jobs.of(attempt.job(), from);
        Optional<Slot> owned = slots.owned(task.allocation(), attempt.job(), from);
        if (isEnding()) {
            return refuse(attempt, DeploymentVerdict.NOT_NOW, "worker " + settings.worker() + " is ending");
        }
        if (connection.isEmpty() || owned.isEmpty()) {
            return refuse(
                    attempt,
                    DeploymentVerdict.SLOT_NOT_OWNED,
                    "job " + attempt.job() + " with JobMaster " + from + " does not own slot " + task.allocation()
                            + " on worker " + settings.worker());
        }
        Slot slot = owned.get();
        // A copy, perhaps of a task that has ended: it must not run twice.
        if (tasks.run(attempt, from).isPresent() || slot.wasDeployed(attempt)) {
            return DeploymentAnswer.accepted(attempt);
        }
        // Without a registration the slot waits for its JobMaster: a late message must not end the wait.
        if (!connection.get().isConnected()) {
            return refuse(
                    attempt,
                    DeploymentVerdict.NOT_NOW,
                    "worker " + settings.worker() + " is not registered at JobMaster " + from);
        }
        // A deployment accepts the slot, even when the answer to the offer is still under way.
        slots.activate(slot);
        DeploymentAnswer answer = tasks.deploy(task, slot.profile(), connection.get());
        if (answer.verdict() == DeploymentVerdict.ACCEPTED) {
            slot.deployed(attempt);
        } else {
            LOG.warn("task {}: deployment refused: {}", attempt, answer.refusal());
        }
        return answer;
    }

    private static DeploymentAnswer refuse(AttemptId attempt, DeploymentVerdict verdict, String why) {
        LOG.info("task {}: deployment refused: {}", attempt, why);
        return new DeploymentAnswer(attempt, verdict, why);
    }

    @Override
    public CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts) {
        return run(() -> attempts.forEach(attempt -> tasks.cancel(attempt, jobMaster)));
    }

    @Override
    public CompletionStage<CommitAnswer> commitTask(Commit commit) {
        return mainThread.call(() -> {
            TaskRun task = tasks.run(commit.attempt(), commit.jobMaster())
                    .orElseThrow(() -> new MainThread.RefusedException("task " + commit.attempt() + " of JobMaster "
                            + commit.jobMaster() + " is not on worker " + settings.worker()));
            boolean isInTime = jobs.isInTime(commit);
            if (isInTime) {
                task.commit(commit.committables());
            }
            return new CommitAnswer(isInTime);
        });
    }

    @Override
    public CompletionStage<Acknowledge> releaseResults(JobId job, JobMasterId jobMaster, List<PartitionId> partitions) {
        return run(() -> results.release(job, jobMaster, partitions));
    }

    /** The slots in all states. Any thread. */
    CompletionStage<SlotReport> slots() {
        return mainThread.call(this::report);
    }

    private SlotReport report() {
        return slots.report(results.size());
    }

    @Override
    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId from) {
        return mainThread.call(() -> {
            requireRegisteredAt(from);
            resourceManager.heartbeat();
            return report();
        });
    }

    @Override
    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        return mainThread.call(() -> {
            TaskReport report = jobs.heartbeat(allocated);
            allocated.resourceManager().ifPresent(resourceManager::leads);
            return report;
        });
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId from, String cause) {
        return run(() -> resourceManager.disconnected(from, cause));
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, InstanceId registration, boolean terminal, String cause) {
        return run(() -> jobs.disconnected(job, jobMaster, registration, terminal, cause));
    }

    @Override
    public CompletionStage<Acknowledge> jobMasterChanged(JobMasterChange change) {
        return run(() -> {
            requireRegisteredAt(change.resourceManager());
            jobs.jobMasterChanged(change.job(), change.jobMaster(), change.lost(), change.cause());
        });
    }

    @Override
    public CompletionStage<Acknowledge> relabel(ResourceManagerId from, long number, WorkerLabels changed) {
        return run(() -> {
            requireRegisteredAt(from);
            if (!relabels.isNews(from, number)) {
                return;
            }
            attributes = changed;
            LOG.info(
                    "worker {}: has labels {} and taints {} now",
                    settings.worker(),
                    changed.labels(),
                    changed.taints());
        });
    }

    @Override
    public CompletionStage<Acknowledge> leave(ResourceManagerId from, long number, WorkerLeaves leaving) {
        return run(() -> {
            requireRegisteredAt(from);
            departure.set(from, number, leaving);
        });
    }

    @Override
    public CompletionStage<Boolean> exit(ResourceManagerId from, boolean force, String cause) {
        return mainThread.call(() -> {
            requireRegisteredAt(from);
            boolean leaves = !departure.left().equals(WorkerLeaves.NONE);
            if (!force && (!slots.isEmpty() || results.size() > 0 && !leaves)) {
                return false;
            }
            ending.announce(cause);
            return true;
        });
    }

    @Override
    public CompletionStage<LogList> listLogs(LogFilter filter) {
        return logs.list(filter);
    }

    @Override
    public CompletionStage<LogPart> readLog(LogRequest request) {
        return logs.read(request);
    }

    private CompletionStage<Acknowledge> run(Runnable action) {
        return mainThread.call(() -> {
            action.run();
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    private void requireRegisteredAt(ResourceManagerId from) {
        if (!resourceManager.isFrom(from)) {
            throw new MainThread.RefusedException(
                    "worker " + settings.worker() + " is not registered at ResourceManager " + from);
        }
    }

    private void free(Slot slot, String cause) {
        release.free(slot, cause);
    }

    private Optional<JobConnection> connection(JobId job) {
        return jobs.of(job);
    }

    private boolean isEnding() {
        return ending.isAnnounced();
    }

    /** A worker that ends in order leaves no slots to the next process. */
    private List<SlotRequest> toKeep() {
        return ending.hasBegun() ? List.of() : slots.kept();
    }

    private void cancelAll() {
        tasks.cancelAll();
        kept.changed();
    }

    private void taskEnded(TaskRun run) {
        results.taskEnded(run);
        release.taskEnded(run);
        if (slots.slot(run.allocation()).filter(Slot::waits).isPresent()) {
            jobs.of(run.job()).ifPresent(JobConnection::offer);
        }
        ending.taskEnded();
    }

    private void taskCanceled(TaskRun run) {
        if (!run.hasEnded()) {
            String cause = "task " + run.attempt() + " has not ended " + settings.taskStuckMillis()
                    + " ms after it was canceled";
            LOG.error("worker {}: {}: ending the process", settings.worker(), cause);
            ending.process(WorkerShutdown.EXIT_TASK_STUCK, cause);
        }
    }

    /** What the connection to the ResourceManager needs. */
    private final class ResourceManagerContext implements ResourceManagerConnection.Context {

        @Override
        public WorkerRegistration registration() {
            return new WorkerRegistration(
                    self.worker(),
                    self.session(),
                    self.endpoint(),
                    self.dataAddress(),
                    settings.total(),
                    settings.defaultSlots(),
                    settings.backend(),
                    settings.spec(),
                    attributes,
                    settings.costPerHour(),
                    clock.millis() - startedMillis,
                    report(),
                    departure.left());
        }

        @Override
        public void rejected(String reason) {
            ending.process(WorkerShutdown.EXIT_REJECTED, "rejected by the ResourceManager: " + reason);
        }

        @Override
        public void abandoned(String cause) {
            LOG.error("worker {}: {}: ending the process", settings.worker(), cause);
            ending.process(WorkerShutdown.EXIT_NO_RESOURCE_MANAGER, cause);
        }
    }
}
