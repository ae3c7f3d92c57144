package io.berth.worker;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.TaskUpdate;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.worker.SlotTable.Slot;
import io.berth.worker.SlotTable.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The TaskExecutor of a worker (FLIP-6): keeps slots for jobs, offers them to JobMasters and runs their tasks. The worker
 * is the truth about its slots: what it does not report, it does not have.
 *
 * <p>All state belongs to one main thread; the gateway may be called on any.
 */
final class TaskExecutor implements TaskExecutorGateway {

    private static final Logger LOG = LoggerFactory.getLogger(TaskExecutor.class);
    /** One heartbeat may have been written before the JobMaster accepted the slot, two cannot. */
    private static final int UNLISTED_MOST = 2;

    private final WorkerSettings settings;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Clock clock;
    private final EndpointRef endpoint;
    private final String dataAddress;
    private final SlotTable slots;
    private final Tasks tasks;
    private final CodeLeases code;
    private final ResourceManagerConnection resourceManager;
    private final Ending ending;
    private final SortedMap<JobId, JobConnection> jobs = new TreeMap<>();

    /**
     * @param endpoint where this gateway is served; its token is the session
     * @param dataAddress of the exchange
     * @param starter calls the task runtimes
     * @param process ends the process with an exit code
     */
    TaskExecutor(
            WorkerSettings settings,
            EndpointRef endpoint,
            String dataAddress,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Clock clock,
            Executor starter,
            Tasks.Runtimes runtimes,
            UserCode userCode,
            IntConsumer process) {
        this.settings = settings;
        this.endpoint = endpoint;
        this.dataAddress = dataAddress;
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.clock = clock;
        this.slots = new SlotTable(settings.total(), mainThread, settings.slotTimeoutMillis(),
                slot -> free(slot, "no JobMaster took it within " + settings.slotTimeoutMillis() + " ms"));
        this.tasks = new Tasks(settings.worker(), runtimes, userCode, mainThread, starter, this::taskEnded,
                run -> mainThread.schedule(settings.taskStuckMillis(), () -> taskCancelled(run)));
        this.code = new CodeLeases(userCode, mainThread, settings.bundleCacheMillis(),
                job -> slots.holds(job) || tasks.anyAlive(job));
        this.resourceManager = new ResourceManagerConnection(
                settings, rpc, mainThread, timers, clock, new ResourceManagerContext());
        this.ending = new Ending(settings.worker(), mainThread, timers, tasks::anyAlive, tasks::cancelAll,
                resourceManager::close, process);
    }

    /** Begins to register. */
    void start() {
        mainThread.execute(resourceManager::start);
    }

    /**
     * Leaves the ResourceManager and cancels all tasks; completes when they have ended, at the latest after two seconds.
     * Any thread, any number of times.
     */
    CompletionStage<Void> close(String cause) {
        mainThread.execute(() -> ending.begin(cause));
        return ending.ended();
    }

    @Override
    public CompletionStage<SlotRequestAnswers> requestSlots(SlotRequests requests) {
        return mainThread.call(() -> {
            List<SlotRequestAnswer> answers = new ArrayList<>();
            SortedMap<JobId, JobConnection> touched = new TreeMap<>();
            for (SlotRequest request : requests.requests()) {
                String refusal = request(requests.resourceManager(), request);
                if (refusal.isEmpty()) {
                    touched.put(request.job(), connectionFor(request));
                } else {
                    LOG.info("worker {}: slot {} for job {} refused: {}", settings.worker(), request.allocation(),
                            request.job(), refusal);
                }
                answers.add(new SlotRequestAnswer(request.allocation(), refusal));
            }
            touched.values().forEach(JobConnection::offer);
            return new SlotRequestAnswers(answers);
        });
    }

    private String request(ResourceManagerId from, SlotRequest request) {
        if (ending.isAnnounced()) {
            return "worker " + settings.worker() + " is ending";
        }
        if (!resourceManager.isFrom(from)) {
            return "worker " + settings.worker() + " is not registered at ResourceManager " + from;
        }
        JobConnection present = jobs.get(request.job());
        if (present != null && present.jobMaster().token().compareTo(request.jobMaster().token()) > 0) {
            return "job " + request.job() + " is led by the newer JobMaster " + present.jobMaster();
        }
        return slots.allocate(request, new JobMasterId(request.jobMaster().token()));
    }

    private JobConnection connectionFor(SlotRequest request) {
        JobId job = request.job();
        code.keep(job);
        JobConnection present = jobs.get(job);
        if (present == null) {
            JobConnection connection = new JobConnection(
                    job, request.jobMaster(), rpc, mainThread, timers, clock, new JobContext());
            jobs.put(job, connection);
            connection.start();
            return connection;
        }
        if (!present.jobMaster().token().equals(request.jobMaster().token())) {
            present.moveTo(request.jobMaster());
        }
        return present;
    }

    @Override
    public CompletionStage<Acknowledge> freeSlots(SlotsToFree toFree) {
        return mainThread.call(() -> {
            for (AllocationId allocation : toFree.allocations()) {
                slots.owned(allocation, toFree.job(), toFree.jobMaster())
                        .ifPresent(slot -> free(slot, toFree.cause()));
            }
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public CompletionStage<DeploymentAnswers> deployTasks(Deployments deployments) {
        return mainThread.call(() -> new DeploymentAnswers(deployments.tasks().stream()
                .map(task -> new DeploymentAnswer(task.attempt(), deploy(deployments.jobMaster(), task)))
                .toList()));
    }

    private String deploy(JobMasterId from, TaskDeployment task) {
        AttemptId attempt = task.attempt();
        Optional<JobConnection> connection =
                Optional.ofNullable(jobs.get(attempt.job())).filter(present -> present.jobMaster().equals(from));
        Optional<Slot> slot = slots.owned(task.allocation(), attempt.job(), from);
        if (ending.isAnnounced() || connection.isEmpty() || slot.isEmpty()) {
            String refusal = ending.isAnnounced()
                    ? "worker " + settings.worker() + " is ending"
                    : "job " + attempt.job() + " with JobMaster " + from + " does not own slot " + task.allocation()
                            + " on worker " + settings.worker();
            LOG.info("task {}: deployment refused: {}", attempt, refusal);
            return refusal;
        }
        if (tasks.isKnown(attempt)) {
            return "";
        }
        // Whoever deploys into a slot has accepted it, even when the answer to the offer is still on its way.
        slots.activate(slot.get());
        slots.addTask(slot.get(), attempt);
        String refusal = tasks.deploy(task, connection.get());
        if (!refusal.isEmpty()) {
            slots.removeTask(task.allocation(), attempt);
            LOG.warn("task {}: deployment refused: {}", attempt, refusal);
        }
        return refusal;
    }

    @Override
    public CompletionStage<Acknowledge> cancelTasks(JobMasterId jobMaster, List<AttemptId> attempts) {
        return mainThread.call(() -> {
            attempts.forEach(attempt -> tasks.run(attempt, jobMaster).ifPresent(TaskRun::cancel));
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public CompletionStage<Acknowledge> commitTask(
            JobMasterId jobMaster, AttemptId attempt, List<Committable> committables) {
        return mainThread.call(() -> {
            tasks.run(attempt, jobMaster)
                    .orElseThrow(() -> new IllegalStateException("task " + attempt + " of JobMaster " + jobMaster
                            + " is not on worker " + settings.worker()))
                    .commit(committables);
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public CompletionStage<SlotReport> heartbeatFromResourceManager(ResourceManagerId from) {
        return mainThread.call(() -> {
            if (!resourceManager.isFrom(from)) {
                throw new IllegalStateException(
                        "worker " + settings.worker() + " is not registered at ResourceManager " + from);
            }
            resourceManager.heartbeat();
            return slots.report();
        });
    }

    @Override
    public CompletionStage<TaskReport> heartbeatFromJobMaster(AllocatedSlots allocated) {
        return mainThread.call(() -> {
            JobId job = allocated.job();
            JobConnection connection = Optional.ofNullable(jobs.get(job))
                    .filter(present -> present.jobMaster().equals(allocated.jobMaster()))
                    .orElseThrow(() -> new IllegalStateException("worker " + settings.worker()
                            + " is not registered at JobMaster " + allocated.jobMaster() + " of job " + job));
            connection.heartbeat();
            for (AllocationId allocation : allocated.allocations()) {
                if (slots.owned(allocation, job, allocated.jobMaster()).isEmpty()) {
                    connection.failSlot(allocation, "worker " + settings.worker() + " does not have it");
                }
            }
            for (Slot slot : slots.ofJob(job)) {
                boolean listed = allocated.allocations().contains(slot.allocation());
                if (slot.unlisted(listed) >= UNLISTED_MOST && slot.state() == State.ACTIVE) {
                    free(slot, "its JobMaster does not list it");
                }
            }
            return tasks.report(job, allocated.jobMaster());
        });
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId from, String cause) {
        return mainThread.call(() -> {
            resourceManager.disconnected(from, cause);
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(
            JobId job, JobMasterId jobMaster, boolean terminal, String cause) {
        return mainThread.call(() -> {
            JobConnection connection = jobs.get(job);
            if (connection != null && connection.jobMaster().equals(jobMaster)) {
                if (terminal) {
                    jobEnded(connection, cause);
                } else {
                    connection.lost(cause);
                }
            }
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    private void jobEnded(JobConnection connection, String cause) {
        JobId job = connection.job();
        LOG.info("job {}: ended: {}; freeing its slots and bundles", job, cause);
        connection.close();
        jobs.remove(job, connection);
        tasks.orphan(job, connection.jobMaster());
        slots.ofJob(job).forEach(slot -> free(slot, cause));
        code.release(job);
    }

    @Override
    public CompletionStage<Boolean> exit(ResourceManagerId from, boolean force, String cause) {
        return mainThread.call(() -> {
            if (!resourceManager.isFrom(from)) {
                throw new IllegalStateException(
                        "worker " + settings.worker() + " is not registered at ResourceManager " + from);
            }
            if (!force && !slots.isEmpty()) {
                return false;
            }
            ending.announce(cause);
            return true;
        });
    }

    /** Frees a slot; its tasks are cancelled first, and it takes room until they have ended. */
    private void free(Slot slot, String cause) {
        LOG.info("worker {}: freeing {}: {}", settings.worker(), slot, cause);
        if (slots.free(slot)) {
            freed(slot, cause);
        } else {
            tasks.cancelIn(slot.allocation());
        }
    }

    private void freed(Slot slot, String cause) {
        resourceManager.slotFreed(slot.allocation(), slot.job(), cause);
        if (jobs.containsKey(slot.job())) {
            code.releaseLater(slot.job());
        } else {
            code.release(slot.job());
        }
    }

    private void taskEnded(TaskRun run) {
        slots.removeTask(run.allocation(), run.attempt()).ifPresent(slot -> freed(slot, "its last task ended"));
        ending.taskEnded();
    }

    private void taskCancelled(TaskRun run) {
        if (!run.hasEnded()) {
            String cause = "task " + run.attempt() + " has not ended " + settings.taskStuckMillis()
                    + " ms after it was cancelled";
            LOG.error("worker {}: {}: ending the process", settings.worker(), cause);
            ending.process(Ending.EXIT_TASK_STUCK, cause);
        }
    }

    private WorkerSessionId session() {
        return new WorkerSessionId(endpoint.token());
    }

    /** What the connection to the ResourceManager may do. */
    private final class ResourceManagerContext implements ResourceManagerConnection.Context {

        @Override
        public WorkerRegistration registration() {
            return new WorkerRegistration(
                    settings.worker(), session(), endpoint, dataAddress, settings.total(), settings.defaultSlots(),
                    settings.backend(), settings.spec(), settings.labels(), slots.report());
        }

        @Override
        public void rejected(String reason) {
            ending.process(Ending.EXIT_REJECTED, "rejected by the ResourceManager: " + reason);
        }

        @Override
        public void abandoned(String cause) {
            LOG.error("worker {}: {}: ending the process", settings.worker(), cause);
            ending.process(Ending.EXIT_NO_RESOURCE_MANAGER, cause);
        }
    }

    /** What the connection to a JobMaster may do. */
    private final class JobContext implements JobConnection.Context {

        @Override
        public WorkerAtJob registration() {
            return new WorkerAtJob(settings.worker(), session(), endpoint, dataAddress);
        }

        @Override
        public List<SlotOffer> waiting(JobId job) {
            return slots.ofJob(job).stream()
                    .filter(slot -> slot.state() == State.ALLOCATED)
                    .map(Slot::offer)
                    .toList();
        }

        @Override
        public boolean isNeeded(JobId job) {
            return !ending.isAnnounced() && !slots.ofJob(job).isEmpty();
        }

        @Override
        public boolean accepted(JobId job, JobMasterId jobMaster, AllocationId allocation) {
            Optional<Slot> slot = slots.owned(allocation, job, jobMaster);
            slot.filter(present -> present.state() == State.ALLOCATED).ifPresent(slots::activate);
            return slot.isPresent();
        }

        @Override
        public void rejected(JobId job, JobMasterId jobMaster, AllocationId allocation) {
            // ACTIVE by now: the JobMaster deployed into it, which is the later word.
            slots.owned(allocation, job, jobMaster)
                    .filter(slot -> slot.state() == State.ALLOCATED)
                    .ifPresent(slot -> free(slot, "its JobMaster did not take it"));
        }

        @Override
        public void refused(JobId job, JobMasterId jobMaster, String reason) {
            tasks.orphan(job, jobMaster);
            slots.ofJob(job).forEach(slot -> free(slot, "JobMaster rejects the worker: " + reason));
        }

        @Override
        public void lost(JobId job, JobMasterId jobMaster, JobMasterId next, String cause) {
            tasks.orphan(job, jobMaster);
            slots.await(job, next);
        }

        @Override
        public void acknowledged(TaskUpdate update) {
            tasks.acknowledged(update.attempt(), update.state());
        }

        @Override
        public void ended(JobConnection connection) {
            jobs.remove(connection.job(), connection);
            code.releaseLater(connection.job());
        }
    }
}
