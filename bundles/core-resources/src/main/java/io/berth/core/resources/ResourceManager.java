package io.berth.core.resources;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.ClusterDetails;
import io.berth.core.api.gateway.ClusterQuery;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.WorkerLeave;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.job.LabelChange;
import io.berth.core.api.log.LogFilter;
import io.berth.core.api.log.LogList;
import io.berth.core.api.log.LogPart;
import io.berth.core.api.log.LogRequest;
import io.berth.core.api.policy.BackendHost.BackendHandle;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.resources.backends.BackendConnector;
import io.berth.core.resources.backends.SpecStarts;
import io.berth.core.resources.backends.StartFailures;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.blocklist.BlockList;
import io.berth.core.resources.blocklist.OperatorBlocks;
import io.berth.core.resources.logs.ClusterLogs;
import io.berth.core.resources.logs.HostLogs;
import io.berth.core.resources.planning.RefusedGrants;
import io.berth.core.resources.planning.SlotManager;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.JobEntry;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.core.resources.workers.AnnouncedLeaves;
import io.berth.core.resources.workers.BackendReports;
import io.berth.core.resources.workers.Heartbeats;
import io.berth.core.resources.workers.IdleWorkers;
import io.berth.core.resources.workers.JobMasterNotices;
import io.berth.core.resources.workers.LeavingWorkers;
import io.berth.core.resources.workers.LostWorkers;
import io.berth.core.resources.workers.OperatorLabels;
import io.berth.core.resources.workers.PeerWait;
import io.berth.core.resources.workers.Recovery;
import io.berth.core.resources.workers.SlotReports;
import io.berth.core.resources.workers.WorkerRegistrations;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import io.berth.spi.backend.StartFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ResourceManager (FLIP-6, FLIP-138). It knows the workers and the requirements of jobs, allocates slots by its
 * {@link SlotManager}, and declares to backends which workers are needed. It stores nothing: workers and JobMasters
 * report all of it again to the next one. Gateway methods may be called on any thread and act on the main thread.
 */
public final class ResourceManager implements ResourceManagerGateway, Heartbeats.Listener, BackendConnector.Listener {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManager.class);
    private static final long SWEEP_MILLIS = 1_000;
    private static final long MIN_SWEEP_MILLIS = 10;

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final RpcService rpc;
    private final Changes changes;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final Allocations allocations;
    private final WorkerDemand backends;
    private final SlotManager slots;
    private final SlotReports reports;
    private final LostWorkers losses;
    private final JobMasterNotices notices;
    private final Recovery recovery;
    private final WorkerRegistrations entrance;
    private final BackendReports backendReports;
    private final IdleWorkers idleWorkers;
    private final Heartbeats heartbeats;
    /** Workers that refused slots. They are asked again after a pause; JobMasters do not receive this list. */
    private final BlockList refusalBlocks;
    /** Workers that an operator blocked. JobMasters receive this list. */
    private final OperatorBlocks barred;

    private final LeavingWorkers leaving;
    private final AnnouncedLeaves announcements;
    private final OperatorLabels labels;
    private final ClusterLogs logs;

    private volatile ResourceSettings settings;
    private boolean stopping;

    /**
     * @param analyses runs the analysis of why jobs wait, off the main thread
     * @param hostLogs the logs of workers of this machine
     * @param files reads them, which blocks
     */
    ResourceManager(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            RpcService rpc,
            PolicyHost policies,
            ResourceSettings settings,
            Executor analyses,
            Supplier<HostLogs> hostLogs,
            Executor files) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.rpc = rpc;
        this.settings = settings;
        changes = new Changes(mainThread, this::flush);
        workers = new WorkerRegistry(changes);
        logs = new ClusterLogs(mainThread, workers, hostLogs, files);
        ledger = new RequirementLedger(changes);
        allocations = new Allocations(workers, ledger, clock, changes);
        StartFailures failures = new StartFailures(clock, this::settings);
        SpecStarts starts = new SpecStarts(clock, this::settings);
        backends = new WorkerDemand(workers, failures, starts, this::settings, changes);
        refusalBlocks = new BlockList(mainThread, clock, this::blockingChanged);
        labels = new OperatorLabels(id, mainThread, workers);
        leaving = new LeavingWorkers(id, mainThread, clock, workers, ledger);
        announcements = new AnnouncedLeaves(mainThread, clock, workers, leaving);
        slots = new SlotManager(
                id,
                mainThread,
                clock,
                policies,
                this::settings,
                workers,
                ledger,
                allocations,
                changes,
                backends,
                refusalBlocks,
                analyses);
        barred = new OperatorBlocks(
                id, mainThread, clock, workers, ledger, changes, slots::isRecovering, this::blockingChanged);
        reports = new SlotReports(
                mainThread, clock, ledger, allocations, new RefusedGrants(mainThread, this::settings, ledger));
        losses = new LostWorkers(id, mainThread, ledger, backends, reports);
        PeerWait wait = new PeerWait(mainThread, clock, this::settings);
        recovery = new Recovery(id, mainThread, clock, wait, this::settings, workers, backends, slots);
        notices = new JobMasterNotices(id, ledger);
        idleWorkers = new IdleWorkers(id, mainThread, clock, this::settings, workers, backends, changes);
        heartbeats = new Heartbeats(id, mainThread, clock, this::settings, workers, ledger, slots.rooms(), this);
        entrance = new WorkerRegistrations(clock, rpc, this::settings, workers, backends, new Newcomers());
        backendReports = new BackendReports(
                mainThread, wait, this::settings, workers, backends, failures, starts, changes, losses, recovery);
    }

    /** Acts on all changes since the last time. */
    private void flush(Set<Change> changed) {
        allocations.publish();
        if (changed.contains(Change.BLOCKS)) {
            barred.send();
        } else if (changed.contains(Change.GONE)) {
            barred.sendSoon();
        }
        if (changed.contains(Change.DEMAND)) {
            backends.declare();
        }
        slots.changed(changed);
    }

    private ResourceSettings settings() {
        return settings;
    }

    /** Starts heartbeats. Plans as soon as everything of the previous ResourceManager has registered. */
    void start() {
        mainThread.execute(() -> {
            slots.open();
            recovery.start();
            heartbeats.start();
            sweep();
            mainThread.schedule(settings.startupPeriodMillis(), slots::explainShortages);
        });
    }

    /** A worker was blocked or unblocked. */
    private void blockingChanged(WorkerId workerId) {
        workers.find(workerId).ifPresent(worker -> workers.blocked(worker, blocks(workerId)));
    }

    /** A process of a backend runs: what was said about its id before is true of it. */
    private void appeared(WorkerId workerId) {
        announcements.appeared(workerId);
        if (blocks(workerId)) {
            blockingChanged(workerId);
        }
    }

    private boolean blocks(WorkerId workerId) {
        return refusalBlocks.blocks(workerId) || barred.blocks(workerId);
    }

    /** Applies other settings at once. */
    public void configure(ResourceSettings changed) {
        mainThread.execute(() -> {
            settings = changed;
            openPools();
            // Limits decide which workers may be started and which are kept.
            changes.mark(Change.POLICY);
        });
    }

    /** Pools were added, changed or removed. Thread-safe. */
    void poolsChanged() {
        mainThread.execute(this::openPools);
    }

    private void openPools() {
        if (stopping) {
            return;
        }
        slots.open();
        // The answer to a registration carries the rule. A JobMaster that does not hear of it misses heartbeats.
        ledger.all().stream()
                .filter(job -> job.master()
                        .filter(master -> master.rule() != slots.rule(job.pool().name()))
                        .isPresent())
                .forEach(job -> jobMasterLost(job, "the matching rule changed: it must register again"));
    }

    private void sweep() {
        // Often enough that a short timeout is kept.
        long partOfTimeout = Math.max(MIN_SWEEP_MILLIS, settings.workerIdleTimeoutMillis() / 4);
        long most = Math.min(settings.heartbeatIntervalMillis(), SWEEP_MILLIS);
        mainThread.schedule(Math.min(most, partOfTimeout), this::sweep);
        if (!slots.isRecovering()) {
            idleWorkers.sweep();
        }
    }

    /**
     * Asks all workers to exit and notifies all JobMasters of the stop. The stage completes when each has answered or
     * failed. Nothing is planned from now on.
     */
    public CompletionStage<Void> stop(String cause) {
        return mainThread
                .call(() -> {
                    stopping = true;
                    losses.stop();
                    slots.close();
                    backends.stop();
                    List<CompletableFuture<?>> answers = new ArrayList<>();
                    for (WorkerEntry worker : workers.connected()) {
                        answers.add(worker.connection()
                                .orElseThrow()
                                .gateway()
                                .exit(id, true, cause)
                                .toCompletableFuture());
                    }
                    for (JobEntry job : ledger.all()) {
                        job.master()
                                .ifPresent(master -> answers.add(master.gateway()
                                        .disconnectResourceManager(id, cause)
                                        .toCompletableFuture()));
                    }
                    LOG.info(
                            "ResourceManager {}: stopping, {} workers were asked to exit",
                            id,
                            workers.connected().size());
                    CompletableFuture<?>[] settled = answers.stream()
                            .map(answer -> answer.handle((value, failure) -> null))
                            .toArray(CompletableFuture<?>[]::new);
                    return CompletableFuture.allOf(settled);
                })
                .thenCompose(answers -> answers);
    }

    /** Ends at once without notifying anybody. Thread-safe. */
    void end() {
        mainThread.close();
        slots.end();
    }

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerRegistration registration) {
        return mainThread.call(() -> {
            Optional<String> fault = MessageLimits.fault(registration);
            if (fault.isPresent()) {
                LOG.warn("registration from {} rejected: {}", registration.endpoint(), fault.get());
                return new RegistrationResponse.Rejected(fault.get());
            }
            refuseWhileStopping();
            return entrance.register(registration);
        });
    }

    private final class Newcomers implements WorkerRegistrations.Listener {

        @Override
        public boolean isBlocked(WorkerId worker) {
            return blocks(worker);
        }

        @Override
        public String cameSmaller(WorkerEntry worker, ResourceProfile registered) {
            return backendReports.cameSmaller(worker, registered);
        }

        @Override
        public void replaced(WorkerEntry worker) {
            losses.lose(worker, "registered again as another process", false);
        }

        @Override
        public void registered(WorkerEntry worker, WorkerRegistration registration) {
            SlotReport report = registration.slots();
            leaving.registered(worker, registration.leaving());
            announcements.appeared(worker.id());
            reports.registered(worker, report);
            notices.arrived(worker, report);
            backends.registered(worker);
            recovery.settles(worker.id());
        }

        @Override
        public void registeredAgain(WorkerEntry worker, WorkerRegistration registration) {
            leaving.registered(worker, registration.leaving());
            reports.registered(worker, registration.slots());
            heartbeats.ask(worker);
        }
    }

    /** Peers that were notified of the stop register again at once, while this ResourceManager still serves. */
    private void refuseWhileStopping() {
        if (stopping) {
            throw new MainThread.RefusedException("ResourceManager " + id + " is stopping: register at the next one");
        }
    }

    @Override
    public CompletionStage<Acknowledge> slotFreed(SlotFreed notice) {
        return acknowledge(() -> workers.find(notice.instance())
                .ifPresentOrElse(
                        worker -> reports.freed(worker, notice.allocation()),
                        () -> LOG.debug("slot {} freed by stale instance {}", notice.allocation(), notice.instance())));
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(InstanceId instance, String cause) {
        return acknowledge(() -> workers.find(instance).ifPresent(worker -> losses.lose(worker, cause, false)));
    }

    @Override
    public CompletionStage<RegistrationResponse> registerJobMaster(JobMasterRegistration registration) {
        return mainThread.call(() -> {
            refuseWhileStopping();
            JobId jobId = registration.job();
            JobMasterId jobMaster = registration.jobMaster();
            JobEntry job = ledger.job(jobId);
            if (job.newest()
                    .filter(newest -> jobMaster.token().epoch() < newest.token().epoch())
                    .isPresent()) {
                String reason = "job " + jobId + ": JobMaster " + jobMaster + " is older than "
                        + job.newest().get() + ", which registered before";
                LOG.warn("registration rejected: {}", reason);
                ledger.forgetWhenEmpty(job);
                return new RegistrationResponse.Rejected(reason);
            }
            Optional<JobMasterId> before = job.newest().filter(newest -> !newest.equals(jobMaster));
            if (before.isPresent()) {
                ledger.clear(job);
                job = ledger.job(jobId);
            }
            boolean known = job.newest().filter(jobMaster::equals).isPresent();
            JobEntry.Master master = new JobEntry.Master(
                    jobMaster,
                    registration.endpoint(),
                    rpc.jobMaster(registration.endpoint()),
                    new HeartbeatMonitor(clock),
                    slots.rule(poolOf(registration)));
            job.connect(master);
            ledger.assign(job, registration.pool());
            if (!known) {
                notices.leads(job, master);
            }
            recovery.holds(registration.workers());
            barred.registered(job, master, known);
            LOG.info("job {}: JobMaster {} registered", jobId, jobMaster);
            return new RegistrationResponse.Accepted(
                    new InstanceId(0),
                    settings.heartbeatIntervalMillis(),
                    settings.heartbeatTimeoutMillis(),
                    master.rule());
        });
    }

    private static String poolOf(JobMasterRegistration registration) {
        return registration.pool().isEmpty() ? PoolDefinition.DEFAULT_NAME : registration.pool();
    }

    @Override
    public CompletionStage<Acknowledge> declareRequirements(RequirementsDeclaration declaration) {
        return acknowledge(() -> {
            MessageLimits.fault(declaration).ifPresent(fault -> {
                throw new MainThread.RefusedException(fault);
            });
            JobEntry job = ledger.find(declaration.job())
                    .filter(known -> isMaster(known, declaration.jobMaster()))
                    .orElseThrow(() -> new MainThread.RefusedException("job " + declaration.job() + ": JobMaster "
                            + declaration.jobMaster() + " is not registered: register before declaring"));
            if (!ledger.declare(job, declaration)) {
                LOG.debug(
                        "job {}: declaration {} is older than {}: no effect",
                        job.id,
                        declaration.sequence(),
                        job.sequence());
            }
        });
    }

    private static boolean isMaster(JobEntry job, JobMasterId jobMaster) {
        return job.master().filter(master -> master.id().equals(jobMaster)).isPresent();
    }

    @Override
    public CompletionStage<Acknowledge> disconnectJobMaster(JobId jobId, JobMasterId jobMaster, String cause) {
        return acknowledge(() -> ledger.find(jobId)
                .filter(job -> job.target()
                        .filter(target -> target.id().equals(jobMaster))
                        .isPresent())
                .ifPresent(job -> {
                    LOG.info("job {}: JobMaster {} disconnects: {}", jobId, jobMaster, cause);
                    notices.freeLeftovers(job, jobMaster, cause);
                    ledger.clear(job);
                }));
    }

    @Override
    public CompletionStage<ClusterDetails> clusterDetails(ClusterQuery query) {
        return mainThread.call(() -> ClusterDetailsAssembly.of(query, workers, backends, barred::of, clock));
    }

    @Override
    public CompletionStage<List<WorkerBlock>> blockWorkers(String target, long millis, String reason) {
        return mainThread.call(() -> barred.block(target, millis, reason));
    }

    @Override
    public CompletionStage<List<WorkerBlock>> unblockWorkers(String target) {
        return mainThread.call(() -> barred.unblock(target));
    }

    @Override
    public CompletionStage<List<RelabeledWorker>> relabelWorkers(String target, LabelChange change) {
        return mainThread
                .call(() -> {
                    MessageLimits.fault(change).ifPresent(fault -> {
                        throw new MainThread.RefusedException(fault);
                    });
                    return labels.change(target, change);
                })
                .thenCompose(answers -> answers);
    }

    @Override
    public CompletionStage<List<DrainedWorker>> drainWorkers(String target, WorkerLeave leave) {
        return mainThread.call(() -> leaving.drain(target, leave)).thenCompose(answers -> answers);
    }

    @Override
    public CompletionStage<List<DrainedWorker>> undrainWorkers(String target) {
        return mainThread.call(() -> leaving.undrain(target)).thenCompose(answers -> answers);
    }

    @Override
    public CompletionStage<LogList> listLogs(LogFilter filter) {
        return logs.list(filter);
    }

    @Override
    public CompletionStage<LogPart> readLog(WorkerId worker, LogRequest request) {
        return logs.read(worker, request);
    }

    /** Removes logs of workers of this machine that are gone; fails when this ResourceManager has ended. */
    public CompletionStage<Boolean> pruneLogs() {
        return logs.prune(() -> !slots.isRecovering(), clock.wallMillis());
    }

    private CompletionStage<Acknowledge> acknowledge(Runnable action) {
        return mainThread.call(() -> {
            action.run();
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    @Override
    public void reported(WorkerEntry worker, SlotReport report, long heartbeat) {
        Optional<String> fault = MessageLimits.fault(worker.id(), report);
        if (fault.isPresent()) {
            // The slots of the worker are unknown from now on.
            losses.lose(worker, "its slot report is rejected: " + fault.get(), true);
            return;
        }
        reports.merge(worker, report, heartbeat);
    }

    @Override
    public void workerLost(WorkerEntry worker, String cause) {
        losses.lose(worker, cause, true);
    }

    @Override
    public void jobMasterLost(JobEntry job, String cause) {
        JobEntry.Master master = job.master().orElseThrow();
        long retention = settings.requirementsRetentionMillis();
        LOG.warn(
                "job {}: JobMaster {} lost, its requirements go to zero in {} ms: {}",
                job.id,
                master.id(),
                retention,
                cause);
        if (retention > 0) {
            ledger.retain(job);
            mainThread.schedule(retention, () -> giveUpRetained(job, master));
        } else {
            ledger.clear(job);
        }
        master.gateway().disconnectResourceManager(id, cause);
        notices.lost(job, master, cause);
    }

    private void giveUpRetained(JobEntry job, JobEntry.Master lost) {
        if (job.master().isEmpty()
                && job.target().filter(target -> target == lost).isPresent()) {
            LOG.warn("job {}: JobMaster {} did not come back, its requirements go to zero", job.id, lost.id());
            ledger.clear(job);
        }
    }

    @Override
    public void backendAdded(BackendHandle backend) {
        mainThread.execute(() -> backendReports.added(backend));
    }

    @Override
    public void backendSpecsChanged(BackendHandle backend, Runnable begins) {
        mainThread.execute(() -> {
            begins.run();
            backendReports.specsChanged(backend);
        });
    }

    @Override
    public void backendRemoved(BackendHandle backend) {
        mainThread.execute(() -> backendReports.removed(backend));
    }

    @Override
    public void afterwards(Runnable action) {
        mainThread.execute(action);
    }

    @Override
    public void workerStarted(String backend, WorkerId workerId, String spec) {
        mainThread.execute(() -> {
            backendReports.started(backend, workerId, spec);
            appeared(workerId);
        });
    }

    @Override
    public void workerSurvived(String backend, WorkerId workerId, String spec) {
        mainThread.execute(() -> {
            backendReports.survived(backend, workerId, spec);
            appeared(workerId);
        });
    }

    @Override
    public void backendRecovered(String backend) {
        mainThread.execute(() -> recovery.recovered(backend));
    }

    @Override
    public void workerEnded(String backend, WorkerId workerId, String diagnostics) {
        mainThread.execute(() -> {
            announcements.ended(workerId);
            backendReports.ended(backend, workerId, diagnostics);
        });
    }

    @Override
    public void workerLeaves(String backend, WorkerId workerId, Supplier<WorkerLeave> leave) {
        mainThread.execute(() -> announcements.announced(backend, workerId, leave.get()));
    }

    @Override
    public void workerStartFailed(String backend, String spec, StartFailure failure) {
        mainThread.execute(() -> backendReports.startFailed(backend, spec, failure));
    }

    @Override
    public void workersQueued(String backend, String spec, String diagnostics) {
        mainThread.execute(() -> backends.reports().queued(backend, spec, diagnostics));
    }

    /** Blocks a worker for a time: it receives no slots, and JobMasters return their free slots on it. */
    public void block(WorkerId worker, String cause, long millis) {
        mainThread.execute(() -> barred.block(worker, millis, cause));
    }
}
