package io.berth.worker;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.AcceptedSlots;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffers;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Connects a worker to the JobMaster of one job: registers, offers slots, watches heartbeats, tells how tasks go on, and
 * finds the JobMaster again when it is lost (FLIP-6). An offer always holds all slots that wait; only the answer to the
 * latest offer counts, so a late answer never acts on a newer one.
 *
 * <p>Belongs to the main thread of the TaskExecutor.
 */
final class JobConnection {

    private static final Logger LOG = LoggerFactory.getLogger(JobConnection.class);
    private static final long FIRST_ATTEMPT_MILLIS = 500;
    private static final long MOST_ATTEMPT_MILLIS = 5_000;
    private static final long FIRST_PAUSE_MILLIS = 50;
    private static final long MOST_PAUSE_MILLIS = 2_000;

    /** What the connection may ask of and tell the TaskExecutor. */
    interface Context {

        WorkerAtJob registration();

        /** The slots that wait for the JobMaster, in the order of their allocations. */
        List<SlotOffer> waiting(JobId job);

        /** Whether there is a slot of the job, so that its JobMaster is looked for. */
        boolean isNeeded(JobId job);

        /**
         * The JobMaster took the slot.
         *
         * @return false when it is not there any more
         */
        boolean accepted(JobId job, JobMasterId jobMaster, AllocationId allocation);

        /** The JobMaster did not take the slot. */
        void rejected(JobId job, JobMasterId jobMaster, AllocationId allocation);

        /** The JobMaster does not want this worker. */
        void refused(JobId job, JobMasterId jobMaster, String reason);

        /** Tasks of that JobMaster are to end, and the slots wait for {@code next}, which may be the same. */
        void lost(JobId job, JobMasterId jobMaster, JobMasterId next, String cause);

        /** The JobMaster knows of the update. */
        void acknowledged(JobMasterGateway.TaskUpdate update);

        /** The connection is not needed any more. */
        void ended(JobConnection connection);
    }

    private final JobId job;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Context context;
    private final HeartbeatMonitor heartbeats;
    private final Backoff pauses = new Backoff(FIRST_PAUSE_MILLIS, MOST_PAUSE_MILLIS);
    private final Backoff attemptTimes = new Backoff(FIRST_ATTEMPT_MILLIS, MOST_ATTEMPT_MILLIS);

    private EndpointRef endpoint;
    private JobMasterGateway gateway;
    private TaskUpdates updates;
    private boolean connected;
    private boolean closed;
    private long attempt;
    private long offer;
    private boolean retryPending;
    private String lastTrouble = "";

    JobConnection(
            JobId job,
            EndpointRef endpoint,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Clock clock,
            Context context) {
        this.job = job;
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.context = context;
        this.heartbeats = new HeartbeatMonitor(mainThread, clock, () -> lost("no heartbeat in time"));
        aim(endpoint);
    }

    private void aim(EndpointRef target) {
        endpoint = target;
        gateway = rpc.jobMaster(target);
        updates = new TaskUpdates(gateway, mainThread, timers, context::acknowledged);
    }

    JobId job() {
        return job;
    }

    JobMasterId jobMaster() {
        return new JobMasterId(endpoint.token());
    }

    JobMasterGateway gateway() {
        return gateway;
    }

    TaskUpdates updates() {
        return updates;
    }

    void start() {
        mainThread.assertCurrent();
        register();
    }

    void heartbeat() {
        heartbeats.beat();
    }

    /** Another JobMaster leads the job: what belonged to the one before ends. */
    void moveTo(EndpointRef next) {
        mainThread.assertCurrent();
        JobMasterId before = jobMaster();
        leave();
        aim(next);
        context.lost(job, before, jobMaster(), "job " + job + " is led by JobMaster " + jobMaster());
        register();
    }

    /** The JobMaster is lost, or let the worker go: tasks end, slots wait while it is looked for. */
    void lost(String cause) {
        mainThread.assertCurrent();
        if (closed) {
            return;
        }
        LOG.warn("job {}: lost JobMaster {}: {}", job, endpoint, cause);
        leave();
        aim(endpoint);
        context.lost(job, jobMaster(), jobMaster(), "JobMaster lost: " + cause);
        searchLater(cause);
    }

    void close() {
        closed = true;
        leave();
    }

    private void leave() {
        connected = false;
        attempt++;
        offer++;
        heartbeats.stop();
        updates.close();
        retryPending = false;
    }

    private void register() {
        long current = ++attempt;
        CompletionStage<RegistrationResponse> answer = Attempts.within(
                timers, attemptTimes.next(), "registration at JobMaster " + endpoint,
                gateway.registerWorker(context.registration()));
        mainThread.whenComplete(answer, (response, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                searchLater(Attempts.message(failure));
            } else if (response instanceof RegistrationResponse.Accepted accepted) {
                connected = true;
                lastTrouble = "";
                attemptTimes.reset();
                pauses.reset();
                heartbeats.start(accepted.heartbeatTimeoutMillis());
                LOG.info("job {}: registered at JobMaster {}", job, endpoint);
                offer();
            } else if (response instanceof RegistrationResponse.Rejected rejected) {
                LOG.warn("job {}: JobMaster {} rejects the worker: {}", job, endpoint, rejected.reason());
                context.refused(job, jobMaster(), rejected.reason());
                end();
            }
        });
    }

    private void searchLater(String cause) {
        if (!context.isNeeded(job)) {
            end();
            return;
        }
        long current = ++attempt;
        long pause = pauses.next();
        // Once for each new reason: the job may be gone, and its slots wait some time for it.
        LOG.atLevel(cause.equals(lastTrouble) ? Level.DEBUG : Level.INFO)
                .log("job {}: not registered at its JobMaster: {}; looking for it in {} ms", job, cause, pause);
        lastTrouble = cause;
        mainThread.schedule(pause, () -> {
            if (current == attempt) {
                search();
            }
        });
    }

    private void search() {
        if (!context.isNeeded(job)) {
            end();
            return;
        }
        long current = ++attempt;
        CompletionStage<EndpointRef> found = Attempts.within(
                timers, attemptTimes.next(), "search for JobMaster of job " + job,
                rpc.resolve(endpoint.address(), endpoint.name()));
        mainThread.whenComplete(found, (target, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                searchLater(Attempts.message(failure));
            } else if (target.token().equals(endpoint.token())) {
                register();
            } else if (target.token().compareTo(endpoint.token()) > 0) {
                moveTo(target);
            } else {
                searchLater("older JobMaster " + target + " answers");
            }
        });
    }

    private void end() {
        if (!closed) {
            close();
            context.ended(this);
        }
    }

    /** Offers all slots that wait, when connected. */
    void offer() {
        mainThread.assertCurrent();
        if (!connected) {
            return;
        }
        List<SlotOffer> offers = context.waiting(job);
        if (offers.isEmpty()) {
            return;
        }
        long current = ++offer;
        WorkerAtJob worker = context.registration();
        JobMasterId offeredTo = jobMaster();
        CompletionStage<AcceptedSlots> answer = Attempts.within(
                timers, attemptTimes.next(), "offer of " + offers.size() + " slots to JobMaster " + endpoint,
                gateway.offerSlots(new SlotOffers(worker.worker(), worker.session(), offers)));
        mainThread.whenComplete(answer, (accepted, failure) -> {
            if (current != offer) {
                return;
            }
            if (failure != null) {
                offerLater(offers.size(), failure);
            } else {
                attemptTimes.reset();
                pauses.reset();
                settle(offeredTo, offers, accepted);
            }
        });
    }

    private void settle(JobMasterId offeredTo, List<SlotOffer> offers, AcceptedSlots accepted) {
        for (SlotOffer slot : offers) {
            AllocationId allocation = slot.allocation();
            if (!accepted.accepted().contains(allocation)) {
                context.rejected(job, offeredTo, allocation);
            } else if (!context.accepted(job, offeredTo, allocation)) {
                failSlot(allocation, "it was freed while it was on offer");
            }
        }
    }

    private void offerLater(int slots, Throwable failure) {
        if (retryPending) {
            return;
        }
        long current = attempt;
        long pause = pauses.next();
        LOG.warn("job {}: offer of {} slots to JobMaster {} failed: {}; offering again in {} ms", job, slots, endpoint,
                Attempts.message(failure), pause);
        retryPending = true;
        mainThread.schedule(pause, () -> {
            if (current == attempt) {
                retryPending = false;
                offer();
            }
        });
    }

    /** Tells that a slot the JobMaster believes to have is not there. */
    void failSlot(AllocationId allocation, String cause) {
        gateway.failSlot(context.registration().worker(), allocation, cause).whenComplete((told, failure) -> {
            if (failure != null) {
                LOG.info("job {}: loss of slot {} not told: {}; the next heartbeat does", job, allocation,
                        Attempts.message(failure));
            }
        });
    }
}
