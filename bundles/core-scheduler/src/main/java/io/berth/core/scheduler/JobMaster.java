package io.berth.core.scheduler;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMastersGateway.JobStart;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskContext.SplitAnswer;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.peers.BlockedWorkers;
import io.berth.core.scheduler.peers.DispatcherReports;
import io.berth.core.scheduler.peers.JobWorkers;
import io.berth.core.scheduler.peers.ResourceManagerConnection;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one job (FLIP-6): the gateway of its units and connections. Gateway methods may be called on any
 * thread; they run on the main thread of the job. The JobMaster ends when the job has ended and the Dispatcher knows:
 * its calls fail from then on.
 */
final class JobMaster implements JobMasterGateway {

    private static final Logger LOG = LoggerFactory.getLogger(JobMaster.class);
    private static final int DISCONNECT_ATTEMPTS = 3;
    private static final long REMIND_MILLIS = 10_000;
    private static final long ALONE_BEAT_MILLIS = 5_000;
    private static final long DISCONNECT_PAUSE_MILLIS = 500;

    private final JobIdentity job;
    private final SchedulerConfiguration configuration;
    private final MainThread thread;
    private final ResourceManagerConnection resourceManager;
    private final JobUnits units;
    private final JobWorkers workers;
    private final DispatcherReports reports;
    private final BlockedWorkers blocked = new BlockedWorkers();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private Optional<CompletableFuture<Void>> givenBack = Optional.empty();
    private Cancellable beat = () -> {};

    /**
     * @param endpoint where it will be served
     * @param failed receives what the main thread of the job threw: the JobMaster then ends without a notice
     */
    JobMaster(
            JobMastersTerm.Environment environment,
            JobStart start,
            EndpointRef endpoint,
            Consumer<? super Throwable> failed) {
        job = new JobIdentity(start.graph(), endpoint);
        configuration = environment.configuration().get();
        thread = new MainThread(
                "JobMaster of " + job.id(),
                environment.pool(),
                environment.timers(),
                failure -> endBroken(failure, failed));
        resourceManager = new ResourceManagerConnection(
                job, thread, environment.clock(), environment.rpc(), environment.directory(), configuration);
        units = new JobUnits(
                job,
                start.submittedMillis(),
                results -> new UnitRun.Shared(
                        configuration, environment.clock(), thread, environment.policies(), resourceManager, results));
        workers = new JobWorkers(
                job, thread, environment.clock(), environment.rpc(), configuration, resourceManager::leader, units);
        reports = new DispatcherReports(
                job,
                thread,
                environment.rpc(),
                environment.directory(),
                start.dispatcher(),
                units::details,
                units.units().size() > 1 ? Optional.of(units::status) : Optional.empty());
    }

    /**
     * Starts to run the job.
     *
     * @param fault why the job cannot run: then it fails at once
     */
    void start(Optional<String> fault) {
        thread.execute(() -> {
            resourceManager.start(new AtResourceManager());
            units.start(workers, reports, this::end, fault);
            heartbeat();
            sendReminder();
        });
    }

    private final class AtResourceManager implements ResourceManagerConnection.Listener {

        @Override
        public void troubled() {
            units.observe();
        }

        @Override
        public void begins() {
            // Workers that leave still do: the next list says which of them stay after all.
            units.unblock();
        }

        @Override
        public void leads() {
            workers.announceResourceManager();
        }

        @Override
        public void rule(MatchingRule rule) {
            units.follow(rule);
        }

        @Override
        public List<WorkerId> workers() {
            return workers.registered();
        }
    }

    /** Another Dispatcher keeps the job now. Any thread. */
    void reportTo(EndpointRef dispatcher) {
        thread.execute(() -> reports.moveTo(dispatcher));
    }

    private void heartbeat() {
        if (givenBack.isEmpty()) {
            workers.heartbeat();
            units.returnIdleSlots();
            units.observe();
            long interval = configuration.heartbeatIntervalMillis();
            beatIn(workers.isEmpty() ? Math.max(interval, ALONE_BEAT_MILLIS) : interval);
        }
    }

    private void beatIn(long delayMillis) {
        beat.cancel();
        beat = thread.schedule(delayMillis, this::heartbeat);
    }

    /** Without workers there are no heartbeats and no idle slots, so a job that waits has few rounds. */
    private RegistrationResponse register(WorkerAtJob worker) {
        boolean alone = workers.isEmpty();
        RegistrationResponse response = workers.register(worker);
        if (alone && !workers.isEmpty()) {
            beatIn(configuration.heartbeatIntervalMillis());
        }
        return response;
    }

    /** A restarted Dispatcher learns of the job although nothing changes. */
    private void sendReminder() {
        thread.schedule(REMIND_MILLIS, () -> {
            if (givenBack.isEmpty()) {
                reports.changed();
                sendReminder();
            }
        });
    }

    /** Completes when the job has ended, its slots are returned and the JobMaster is released. */
    CompletionStage<Void> ended() {
        return ended;
    }

    private void end() {
        String cause = "job " + job.id() + " has ended: " + units.status().label();
        CompletionStage<Void> told = reports.endAcknowledged();
        returnSlots(cause).thenCombine(told, (given, known) -> known).whenComplete((done, failure) -> close());
    }

    /**
     * Ends because the process stops; the job continues under its next JobMaster. The workers end the tasks and keep
     * the slots for a while; the ResourceManager sees the same as after a crash. When the job has ended already, its
     * slots are returned as usual. The endpoint is closed first: a worker that searches for the JobMaster must not be
     * rejected, or it frees the slots.
     */
    CompletionStage<Void> stop(String cause) {
        thread.execute(() -> givenBack.orElseGet(() -> suspend(cause)).whenComplete((done, failure) -> close()));
        return ended;
    }

    private CompletableFuture<Void> suspend(String cause) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        givenBack = Optional.of(done);
        units.close();
        resourceManager.close();
        thread.whenComplete(disconnect(workers.close(), false, cause), (told, unknown) -> done.complete(null));
        return done;
    }

    /**
     * Clears the requirements first, then frees the slots: otherwise freed slots would be granted to the ended job
     * again.
     */
    private CompletionStage<Void> returnSlots(String cause) {
        if (givenBack.isPresent()) {
            return givenBack.get();
        }
        CompletableFuture<Void> done = new CompletableFuture<>();
        givenBack = Optional.of(done);
        units.close();
        List<JobWorkers.Last> registered = workers.close();
        thread.whenComplete(resourceManager.declareNone(), (renounced, failure) -> {
            thread.whenComplete(
                    disconnect(registered, true, cause),
                    (told, unknown) ->
                            thread.whenComplete(resourceManager.leave(cause), (left, away) -> done.complete(null)));
        });
        return done;
    }

    /** Completes when all workers have answered or failed. */
    private CompletableFuture<Void> disconnect(List<JobWorkers.Last> registered, boolean terminal, String cause) {
        List<CompletableFuture<Void>> disconnects = new ArrayList<>();
        registered.forEach(worker -> {
            CompletableFuture<Void> known = new CompletableFuture<>();
            disconnects.add(known);
            disconnect(worker, terminal, cause, DISCONNECT_ATTEMPTS, known);
        });
        return CompletableFuture.allOf(disconnects.toArray(CompletableFuture[]::new));
    }

    private void disconnect(
            JobWorkers.Last last, boolean terminal, String cause, int attempts, CompletableFuture<Void> known) {
        thread.whenComplete(
                last.gateway().disconnectJobMaster(job.id(), job.jobMaster(), last.registration(), terminal, cause),
                (done, failure) -> {
                    if (failure != null && Failures.isTransient(failure) && attempts > 1) {
                        thread.schedule(
                                DISCONNECT_PAUSE_MILLIS, () -> disconnect(last, terminal, cause, attempts - 1, known));
                    } else {
                        if (failure != null) {
                            LOG.info(
                                    "job {}: worker {} did not acknowledge the end of the job: {}",
                                    job.id(),
                                    last.worker(),
                                    Failures.text(failure));
                        }
                        known.complete(null);
                    }
                });
    }

    /**
     * What threw may be half changed, so nothing runs on its main thread any more. The owner is told first: it counts
     * the failure before it learns of the end.
     */
    private void endBroken(Throwable failure, Consumer<? super Throwable> owner) {
        thread.close();
        owner.accept(failure);
        try {
            endSilently();
        } catch (RuntimeException also) {
            LOG.warn("job {}: what its failed JobMaster had open was not closed", job.id(), also);
        }
    }

    /** Leadership is lost: stops without a notice to anyone. Any thread. */
    void abandon() {
        thread.execute(this::endSilently);
    }

    private void endSilently() {
        try {
            units.close();
        } finally {
            close();
        }
    }

    private void close() {
        try {
            resourceManager.close();
        } finally {
            thread.close();
            ended.complete(null);
        }
    }

    private CompletionStage<Acknowledge> run(Runnable action) {
        return thread.call(() -> {
            action.run();
            return Acknowledge.ACKNOWLEDGE;
        });
    }

    private <T> CompletionStage<T> stage(Callable<CompletionStage<T>> call) {
        return thread.call(call).thenCompose(Function.identity());
    }

    @Override
    public CompletionStage<RegistrationResponse> registerWorker(WorkerAtJob worker) {
        return thread.call(() -> register(worker));
    }

    @Override
    public CompletionStage<AcceptedSlots> offerSlots(SlotOffers offers) {
        return stage(() -> {
            WorkerId worker = offers.worker();
            if (!workers.isRegistered(worker, offers.session())) {
                return CompletableFuture.completedFuture(AcceptedSlots.NOT_REGISTERED);
            }
            // The worker may be lost while the strategy decides.
            return taken(worker, offers)
                    .thenApply(accepted -> workers.isRegistered(worker, offers.session())
                            ? new AcceptedSlots(accepted)
                            : AcceptedSlots.NOT_REGISTERED);
        });
    }

    private CompletionStage<List<AllocationId>> taken(WorkerId worker, SlotOffers offers) {
        int order = workers.order(worker, offers.number());
        if (order < 0) {
            // The worker no longer reads this answer.
            return CompletableFuture.completedFuture(List.of());
        }
        return order == 0
                ? units.offeredBefore(worker, offers.offers())
                : units.offer(worker, offers.offers(), same -> workers.isRegistered(same, offers.session()));
    }

    @Override
    public CompletionStage<Acknowledge> failSlot(
            WorkerId worker, WorkerSessionId session, AllocationId allocation, String cause) {
        return run(() -> {
            if (workers.isRegistered(worker, session)) {
                units.slotGone(worker, allocation, cause);
            }
        });
    }

    @Override
    public CompletionStage<Acknowledge> updateTask(TaskUpdate update) {
        return run(() -> units.update(update));
    }

    @Override
    public CompletionStage<Acknowledge> reportSplits(AttemptId attempt, String vertex, SplitPart part) {
        return run(() -> units.splits(attempt, vertex, part));
    }

    @Override
    public CompletionStage<SplitAnswer> nextSplit(AttemptId attempt, String vertex, long number) {
        return thread.call(() -> units.nextSplit(attempt, vertex, number));
    }

    @Override
    public CompletionStage<Acknowledge> heartbeatFromResourceManager(
            ResourceManagerId id, long declaration, List<GroupRoom> room) {
        return run(() -> {
            if (!resourceManager.heartbeat(id, declaration)) {
                throw new MainThread.RefusedException(
                        "job " + job.id() + " is not registered at ResourceManager " + id);
            }
            if (resourceManager.isCurrent(id)) {
                units.room(room);
            }
        });
    }

    @Override
    public CompletionStage<Acknowledge> notEnoughResources(NotEnoughResources notice) {
        return run(() -> {
            if (resourceManager.isCurrent(notice.resourceManager())) {
                units.notEnoughResources(notice);
            }
        });
    }

    @Override
    public CompletionStage<List<AllocationId>> requestSlotReturn(
            ResourceManagerId id, List<AllocationId> allocations, boolean aboveMinimum, String cause) {
        return thread.call(() -> resourceManager.isCurrent(id) && givenBack.isEmpty()
                ? units.slotsWanted(allocations, aboveMinimum, cause)
                : List.<AllocationId>of());
    }

    @Override
    public CompletionStage<Acknowledge> disconnectWorker(
            ResourceManagerId id, WorkerId worker, WorkerSessionId session, String cause) {
        return run(() -> {
            if (resourceManager.isCurrent(id)) {
                workers.lose(worker, session, cause);
            }
        });
    }

    @Override
    public CompletionStage<Acknowledge> blockWorkers(
            ResourceManagerId id, long number, List<WorkerId> workers, List<LeavingWorker> leaving) {
        return run(() -> {
            // The list may arrive before the answer to the registration.
            if (blocked.isNewer(id, number) && resourceManager.isConnected(id) && givenBack.isEmpty()) {
                units.workersChanged(workers, leaving);
            }
        });
    }

    @Override
    public CompletionStage<Acknowledge> disconnectResourceManager(ResourceManagerId id, String cause) {
        return run(() -> resourceManager.disconnected(id, cause));
    }

    @Override
    public CompletionStage<JobDetails> details() {
        return thread.call(units::details);
    }

    @Override
    public CompletionStage<Acknowledge> changeBounds(ParallelismBounds bounds) {
        return run(() -> units.changeBounds(bounds));
    }

    @Override
    public CompletionStage<Acknowledge> cancel(String cause) {
        return run(() -> units.cancel(cause));
    }
}
