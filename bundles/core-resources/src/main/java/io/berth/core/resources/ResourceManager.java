package io.berth.core.resources;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.WorkerSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager (FLIP-6, FLIP-138): knows the workers and what jobs require, allocates slots by its
 * {@link SlotManager}, and tells backends which workers are needed. Keeps nothing that workers and JobMasters do not
 * tell it again. Gateway methods may be called on any thread and act on the main thread.
 */
final class ResourceManager implements ResourceManagerGateway, Heartbeats.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManager.class);
    private static final long SWEEP_MILLIS = 1_000;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final RpcService rpc;
    private final WorkerRegistry workers = new WorkerRegistry();
    private final RequirementLedger ledger;
    private final Backends backends = new Backends(workers);
    private final SlotManager slots;
    private final IdleWorkers idleWorkers;
    private final Heartbeats heartbeats;
    private volatile ResourceSettings settings;
    private long instanceCount;
    private boolean stopping;

    /** @param analyses runs what is looked at beside the main thread: why jobs wait */
    ResourceManager(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            RpcService rpc,
            PolicyHost policies,
            ResourceSettings settings,
            Executor analyses) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.rpc = rpc;
        this.settings = settings;
        ledger = new RequirementLedger(clock);
        slots = new SlotManager(
                id, mainThread, clock, policies, this::settings, workers, ledger, backends, analyses);
        idleWorkers = new IdleWorkers(id, mainThread, clock, this::settings, workers, backends, slots);
        heartbeats = new Heartbeats(id, mainThread, clock, this::settings, workers, ledger, this);
    }

    private ResourceSettings settings() {
        return settings;
    }

    /** Begins to plan and to send heartbeats. */
    void start() {
        mainThread.execute(() -> {
            slots.open();
            heartbeats.start();
            sweep();
            mainThread.schedule(settings.startupPeriodMillis(), slots::explainShortages);
        });
    }

    /** Takes over other time-outs at once. */
    void configure(ResourceSettings changed) {
        mainThread.execute(() -> {
            settings = changed;
            slots.open();
        });
    }

    private void sweep() {
        idleWorkers.sweep();
        mainThread.schedule(Math.min(settings.heartbeatIntervalMillis(), SWEEP_MILLIS), this::sweep);
    }

    /**
     * Tells all workers to exit and all JobMasters that the ResourceManager ends. The stage completes when each has
     * answered or failed; afterwards nothing is planned any more.
     */
    CompletionStage<Void> stop(String cause) {
        return mainThread.call(() -> {
            stopping = true;
            slots.close();
            backends.stop();
            List<CompletableFuture<?>> answers = new ArrayList<>();
            for (WorkerEntry worker : workers.connected()) {
                answers.add(worker.connection().orElseThrow().gateway().exit(id, true, cause).toCompletableFuture());
            }
            for (JobEntry job : ledger.all()) {
                job.master().ifPresent(master -> answers.add(
                        master.gateway().disconnectResourceManager(id, cause).toCompletableFuture()));
            }
            LOG.info("ResourceManager {}: stopping, {} workers told to exit", id, workers.connected().size());
            CompletableFuture<?>[] settled = answers.stream()
                    .map(answer -> answer.handle((value, failure) -> null))
                    .toArray(CompletableFuture<?>[]::new);
            return CompletableFuture.allOf(settled);
        }).thenCompose(answers -> answers);
    }

    /** Nothing is done any more from now on, and nobody is told. Any thread. */
    void end() {
        mainThread.close();
        slots.end();
    }

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        return mainThread.call(() -> {
            Optional<String> fault = Plausibility.fault(registration);
            if (fault.isPresent()) {
                LOG.warn("registration from {} refused: {}", registration.endpoint(), fault.get());
                return new RegistrationResponse.Rejected(fault.get());
            }
            refuseWhileStopping();
            return register(registration);
        });
    }

    /** Whoever was told of the end registers again at once, and this one serves until the last has answered. */
    private void refuseWhileStopping() {
        if (stopping) {
            throw new IllegalStateException("ResourceManager " + id + " is stopping: register at the next one");
        }
    }

    private RegistrationResponse register(WorkerRegistration registration) {
        Optional<WorkerEntry> there = workers.find(registration.worker());
        Optional<WorkerConnection> before = there.flatMap(WorkerEntry::connection);
        boolean same = before.filter(by -> by.session().equals(registration.session())).isPresent();
        if (!same && before.isPresent()) {
            if (registration.session().token().epoch() < before.get().session().token().epoch()) {
                String reason = "worker " + registration.worker() + ": session " + registration.session()
                        + " is older than " + before.get().session() + ", which is registered";
                LOG.warn("registration refused: {}", reason);
                return new RegistrationResponse.Rejected(reason);
            }
            boolean launched = there.get().launched();
            lose(there.get(), "registered again as another process", false);
            there = Optional.of(add(registration));
            there.get().launched(launched);
        }
        WorkerEntry worker = there.or(() -> takenOver(registration)).orElseGet(() -> add(registration));
        WorkerConnection connection = new WorkerConnection(
                new InstanceId(++instanceCount),
                registration.session(),
                registration.endpoint(),
                rpc.taskExecutor(registration.endpoint()),
                before.filter(by -> same).map(WorkerConnection::registeredMillis).orElse(clock.wallMillis()));
        boolean wasPlanned = worker.planned() > 0;
        WorkerEntry.State state = worker.state();
        worker.registered(
                connection,
                registration.total(),
                registration.defaultSlots(),
                registration.labels(),
                clock.millis());
        if (same && state == WorkerEntry.State.RELEASING) {
            worker.state(state);
        }
        workers.changed(worker);
        slots.merge(worker, registration.slots(), worker.nextHeartbeat());
        LOG.info(
                "{}: registered as instance {} at {} with {}, {} slots allocated",
                worker,
                connection.instance(),
                registration.endpoint().address(),
                registration.total(),
                registration.slots().slots().size());
        if (wasPlanned) {
            slots.checkNow();
        } else {
            slots.requestCheck();
        }
        return accepted(connection.instance());
    }

    /** A pending worker of the same spec, for a worker that brings no slots and was not announced under its id. */
    private Optional<WorkerEntry> takenOver(WorkerRegistration registration) {
        if (registration.spec().isEmpty() || !registration.slots().slots().isEmpty()) {
            return Optional.empty();
        }
        Optional<WorkerEntry> pending = workers.openPending(registration.backend(), registration.spec());
        pending.ifPresent(worker -> workers.rename(worker, registration.worker(), true));
        return pending;
    }

    private WorkerEntry add(WorkerRegistration registration) {
        return workers.add(
                registration.worker(),
                registration.backend(),
                registration.spec(),
                registration.total(),
                registration.defaultSlots());
    }

    private RegistrationResponse accepted(InstanceId instance) {
        return new RegistrationResponse.Accepted(
                instance, settings.heartbeatIntervalMillis(), settings.heartbeatTimeoutMillis());
    }

    @Override
    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        return acknowledge(() -> workers.find(notice.instance())
                .ifPresentOrElse(
                        worker -> slots.slotFreed(worker, notice.allocation()),
                        () -> LOG.debug("slot {} freed by stale instance {}", notice.allocation(), notice.instance())));
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        return acknowledge(() -> workers.find(instance).ifPresent(worker -> lose(worker, cause, false)));
    }

    @Override
    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        return mainThread.call(() -> {
            refuseWhileStopping();
            JobId jobId = registration.job();
            JobMasterId jobMaster = registration.jobMaster();
            JobEntry job = ledger.job(jobId);
            if (job.newest().filter(newest -> jobMaster.token().epoch() < newest.token().epoch()).isPresent()) {
                String reason = "job " + jobId + ": JobMaster " + jobMaster + " is older than "
                        + job.newest().get() + ", which registered before";
                LOG.warn("registration refused: {}", reason);
                ledger.forgetWhenEmpty(job);
                return new RegistrationResponse.Rejected(reason);
            }
            if (job.master().filter(master -> !master.id().equals(jobMaster)).isPresent()) {
                ledger.clear(job);
                job = ledger.job(jobId);
                slots.requestCheck();
            }
            job.connect(new JobEntry.Master(
                    jobMaster,
                    registration.endpoint(),
                    rpc.jobMaster(registration.endpoint()),
                    new Pulse(clock.millis())));
            LOG.info("job {}: JobMaster {} registered", jobId, jobMaster);
            return accepted(new InstanceId(0));
        });
    }

    @Override
    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        return acknowledge(() -> {
            Plausibility.fault(declaration).ifPresent(fault -> {
                throw new IllegalArgumentException(fault);
            });
            JobEntry job = ledger.find(declaration.job())
                    .filter(known -> isMaster(known, declaration.jobMaster()))
                    .orElseThrow(() -> new IllegalStateException("job " + declaration.job() + ": JobMaster "
                            + declaration.jobMaster() + " is not registered: register before declaring"));
            if (ledger.declare(job, declaration)) {
                slots.requestCheck();
            } else {
                LOG.debug("job {}: declaration {} is older than {}: no effect",
                        job.id, declaration.sequence(), job.sequence());
            }
        });
    }

    private static boolean isMaster(JobEntry job, JobMasterId jobMaster) {
        return job.master().filter(master -> master.id().equals(jobMaster)).isPresent();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(JobId jobId, JobMasterId jobMaster, String cause) {
        return acknowledge(() -> ledger.find(jobId)
                .filter(job -> isMaster(job, jobMaster))
                .ifPresent(job -> {
                    LOG.info("job {}: JobMaster {} leaves: {}", jobId, jobMaster, cause);
                    freeLeftovers(jobId, jobMaster, cause);
                    ledger.clear(job);
                    slots.requestCheck();
                }));
    }

    /** A slot that its worker has not offered yet would wait there for a JobMaster that is no more (reference 7.9). */
    private void freeLeftovers(JobId job, JobMasterId jobMaster, String cause) {
        for (WorkerEntry worker : workers.connected()) {
            List<AllocationId> left = worker.slots().stream()
                    .filter(slot -> slot.job.equals(job))
                    .map(slot -> slot.allocation)
                    .toList();
            if (!left.isEmpty()) {
                LOG.info("{}: frees {} slots that job {} left", worker, left.size(), job);
                worker.connection().orElseThrow().gateway()
                        .freeSlots(new TaskExecutorGateway.SlotsToFree(job, jobMaster, left, cause));
            }
        }
    }

    @Override
    public CompletionStage<ClusterDetails> clusterDetails() {
        return mainThread.call(() -> Details.of(workers, clock.millis()));
    }

    private CompletionStage<Acknowledge> acknowledge(Runnable action) {
        return mainThread.call(() -> {
            action.run();
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public void reported(WorkerEntry worker, SlotReport report, long heartbeat) {
        slots.merge(worker, report, heartbeat);
    }

    @Override
    public void workerLost(WorkerEntry worker, String cause) {
        lose(worker, cause, true);
    }

    @Override
    public void jobMasterLost(JobEntry job, String cause) {
        JobEntry.Master master = job.master().orElseThrow();
        LOG.warn("job {}: JobMaster {} lost, its requirements go to zero: {}", job.id, master.id(), cause);
        ledger.clear(job);
        master.gateway().disconnectResourceManager(id, cause);
        slots.requestCheck();
    }

    /**
     * Gives a worker up: its slots are lost, all JobMasters are told.
     *
     * @param tell whether its process may still run: then it is told, and its backend ends it
     */
    private void lose(WorkerEntry worker, String cause, boolean tell) {
        mainThread.assertCurrent();
        Optional<WorkerConnection> connection = worker.connection();
        if (stopping || worker.state() == WorkerEntry.State.RELEASING) {
            LOG.info("{}: released: {}", worker, cause);
        } else {
            LOG.warn("{}: lost with {} slots: {}", worker, worker.slots().size(), cause);
        }
        WorkerId lost = worker.id();
        if (tell) {
            backends.unwanted(worker);
            connection.ifPresent(by -> by.gateway().disconnectResourceManager(id, cause));
        }
        slots.remove(worker);
        for (JobEntry job : ledger.all()) {
            job.master().ifPresent(master -> master.gateway().disconnectWorker(lost, cause));
        }
    }

    /** A backend is there. */
    void backendAdded(BackendHandle backend) {
        mainThread.execute(() -> {
            LOG.info("backend {}: {} specs", backend.name(), backend.specs().size());
            backends.add(backend);
            backends.declare();
            slots.replan();
        });
    }

    /** A backend is gone; what registered from it stays. */
    void backendRemoved(BackendHandle backend) {
        mainThread.execute(() -> {
            if (backends.remove(backend)) {
                LOG.info("backend {}: gone", backend.name());
                slots.replan();
            }
        });
    }

    /** Runs on the main thread, after what was reported before. */
    void afterwards(Runnable action) {
        mainThread.execute(action);
    }

    /** A backend started a process. */
    void workerStarted(String backend, WorkerId workerId, WorkerSpec spec) {
        mainThread.execute(() -> backends.started(backend, workerId, spec).ifPresent(worker -> {
            LOG.info("worker {}: started by backend {} as {}", workerId, backend, spec.name());
            workers.changed(worker);
            slots.requestCheck();
            mainThread.schedule(
                    settings.workerRegistrationTimeoutMillis(), () -> giveUpUnregistered(worker, workerId));
        }));
    }

    private void giveUpUnregistered(WorkerEntry worker, WorkerId workerId) {
        if (workers.contains(worker)
                && worker.state() == WorkerEntry.State.PENDING
                && worker.id().equals(workerId)) {
            LOG.warn("worker {}: did not register within {} ms: given up",
                    workerId, settings.workerRegistrationTimeoutMillis());
            backends.unwanted(worker);
            backends.reopen(worker);
            backends.declare();
            slots.requestCheck();
        }
    }

    /** A process of a backend is no more: the worker is lost at once, without waiting for heartbeats. */
    void workerEnded(String backend, WorkerId workerId, String diagnostics) {
        mainThread.execute(() -> {
            backends.ended(backend, workerId);
            Optional<WorkerEntry> worker = workers.find(workerId).filter(there -> there.backend.equals(backend));
            if (worker.isEmpty()) {
                LOG.debug("worker {}: ended: {}", workerId, diagnostics);
            } else if (worker.get().state() == WorkerEntry.State.PENDING) {
                LOG.warn("worker {}: ended before it registered: {}", workerId, diagnostics);
                backends.reopen(worker.get());
                slots.requestCheck();
            } else {
                lose(worker.get(), "process ended: " + diagnostics, false);
            }
        });
    }

    /** A backend could not start a process. */
    void workerStartFailed(String backend, WorkerSpec spec, String diagnostics) {
        mainThread.execute(() -> {
            if (backends.startFailed(backend, spec, diagnostics)) {
                LOG.warn("backend {}: a worker of spec {} could not be started: {}", backend, spec.name(), diagnostics);
            }
            slots.startFailed();
        });
    }
}
