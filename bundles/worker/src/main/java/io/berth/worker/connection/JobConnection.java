package io.berth.worker.connection;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.worker.peer.Attempts;
import io.berth.worker.peer.HeartbeatMonitor;
import io.berth.worker.peer.LeaderSearch;
import io.berth.worker.peer.Reachability;
import io.berth.worker.peer.RegistrationAttempts;
import io.berth.worker.settings.WorkerSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Connects a worker to the JobMaster of one job: registers, offers slots, watches heartbeats, tells how tasks go on, and
 * finds the JobMaster again when it is lost (FLIP-6), where it was or at the control plane.
 *
 * <p>Belongs to the main thread of the TaskExecutor.
 */
public final class JobConnection {

    private static final Logger LOG = LoggerFactory.getLogger(JobConnection.class);
    private static final long PROBE_MILLIS = 2_000;
    /** Slots wait for their JobMaster for a limited time: within it there is more than one attempt. */
    private static final int PAUSES_PER_SLOT_TIMEOUT = 4;

    /** What the connection may ask of and tell the TaskExecutor. */
    public interface Context {

        /** The slots that wait for the JobMaster, in the order of their allocations. */
        List<SlotOffer> waiting(JobId job);

        /** Whether there is a slot of the job, so that its JobMaster is looked for. */
        boolean isNeeded(JobId job);

        /** The number of the next offer: higher than any before of this worker. */
        long nextOffer();

        /**
         * The JobMaster took the slot.
         *
         * @return false when it is not there any more
         */
        boolean accepted(JobId job, JobMasterId jobMaster, AllocationId allocation);

        /** The JobMaster did not take the slot. */
        void rejected(JobId job, JobMasterId jobMaster, AllocationId allocation, String cause);

        /** The JobMaster does not want this worker. */
        void refused(JobId job, JobMasterId jobMaster, String reason);

        /** Tasks of that JobMaster are to end, and the slots wait for {@code next}, which may be the same. */
        void lost(JobId job, JobMasterId jobMaster, EndpointRef next, String cause);

        /** The JobMaster knows of the update. */
        void acknowledged(JobMasterGateway.TaskUpdate update);

        /** The connection is not needed any more. */
        void ended(JobConnection connection);
    }

    private final JobId job;
    private final WorkerAtJob self;
    private final List<RpcAddress> masters;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Context context;
    private final HeartbeatMonitor heartbeats;
    private final Reachability reachability;
    private final RegistrationAttempts attempts;
    private final LeaderSearch search;
    private final SlotOffering offering;

    private EndpointRef endpoint;
    private JobMasterGateway gateway;
    private TaskUpdates updates;
    private boolean connected;
    private boolean closed;
    private boolean probing;
    private long attempt;
    private long latestReport = Long.MIN_VALUE;
    /** What the JobMaster gave the registration that holds now. */
    private long registration;
    /** The last registration that the JobMaster ended: a copy of the notice says nothing of a later one. */
    private long letGo = Long.MIN_VALUE;

    private long intervalMillis;
    private String lastTrouble = "";

    public JobConnection(
            JobId job,
            EndpointRef endpoint,
            WorkerAtJob self,
            WorkerSettings settings,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Clock clock,
            Context context) {
        this.job = job;
        this.self = self;
        this.masters = settings.masters();
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.context = context;
        this.heartbeats = new HeartbeatMonitor(mainThread, clock, () -> lost("no heartbeat in time"));
        this.reachability = new Reachability(clock, () -> lost("it cannot be reached, or another one is in its place"));
        this.attempts = new RegistrationAttempts(
                settings.registration().withPausesUpTo(settings.slotTimeoutMillis() / PAUSES_PER_SLOT_TIMEOUT));
        this.search = new LeaderSearch(endpoint.name(), rpc, mainThread, timers, this::objection);
        this.offering = new SlotOffering(job, self, mainThread, timers, reachability, context, this::failSlot);
        aim(endpoint);
    }

    private void aim(EndpointRef target) {
        endpoint = target;
        gateway = rpc.jobMaster(target);
        updates = new TaskUpdates(gateway, mainThread, timers, context::acknowledged, reachability::failed);
    }

    public JobId job() {
        return job;
    }

    public JobMasterId jobMaster() {
        return new JobMasterId(endpoint.token());
    }

    public JobMasterGateway gateway() {
        return gateway;
    }

    public TaskUpdates updates() {
        return updates;
    }

    /** Whether a registration holds. */
    public boolean isConnected() {
        return connected;
    }

    /** How often the JobMaster sends heartbeats, in milliseconds; 0 before it has said so. */
    public long heartbeatMillis() {
        return intervalMillis;
    }

    public void start() {
        mainThread.assertCurrent();
        register();
    }

    /**
     * A heartbeat of the JobMaster.
     *
     * @return whether what it lists counts: it is newer than those before
     */
    public boolean heartbeat(long number) {
        heartbeats.heartbeat();
        reachability.heard();
        boolean newer = number > latestReport;
        latestReport = Math.max(latestReport, number);
        return newer;
    }

    /** Another JobMaster leads the job: what belonged to the one before ends. */
    public void moveTo(EndpointRef next) {
        mainThread.assertCurrent();
        JobMasterId before = jobMaster();
        leave();
        latestReport = Long.MIN_VALUE;
        letGo = Long.MIN_VALUE;
        aim(next);
        context.lost(job, before, next, "job " + job + " is led by JobMaster " + jobMaster());
        register();
    }

    /** The JobMaster ended that registration and those before. */
    public void disconnect(InstanceId ended, String cause) {
        mainThread.assertCurrent();
        letGo = Math.max(letGo, ended.number());
        if (connected && registration <= letGo) {
            lost(cause);
        }
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
        context.lost(job, jobMaster(), endpoint, "JobMaster lost: " + cause);
        searchLater(new LeaderSearch.NotFound(cause));
    }

    /** Somebody says that the JobMaster is lost: it is asked, and lost when it does not answer. */
    public void suspect(String cause) {
        mainThread.assertCurrent();
        if (!connected || probing) {
            return;
        }
        probing = true;
        long current = attempt;
        CompletionStage<RegistrationResponse> answer = Attempts.within(
                timers, PROBE_MILLIS, "question to JobMaster " + endpoint, gateway.registerWorker(self));
        mainThread.whenComplete(answer, (response, failure) -> {
            probing = false;
            if (current != attempt || closed) {
                return;
            }
            if (failure != null) {
                lost(cause + "; asked, it did not answer: " + Attempts.message(failure));
            } else if (response instanceof RegistrationResponse.Rejected rejected) {
                lost(cause + "; asked, it rejects the worker: " + rejected.reason());
            } else if (response instanceof RegistrationResponse.Accepted accepted
                    && accepted.instance().number() != registration) {
                lost(cause + "; asked, it knows nothing of the slots here");
            } else {
                LOG.info("job {}: JobMaster {} is there although it was said to be lost: {}", job, endpoint, cause);
            }
        });
    }

    public void close() {
        closed = true;
        leave();
    }

    /** Ends the connection when the job has no slot here. */
    public void endUnlessNeeded() {
        if (!context.isNeeded(job)) {
            end();
        }
    }

    private void leave() {
        connected = false;
        attempt++;
        offering.stop();
        heartbeats.stop();
        updates.close();
    }

    private void register() {
        long current = ++attempt;
        CompletionStage<RegistrationResponse> answer = Attempts.within(
                timers, attempts.next(), "registration at JobMaster " + endpoint, gateway.registerWorker(self));
        mainThread.whenComplete(answer, (response, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                searchLater(failure);
            } else if (response instanceof RegistrationResponse.Accepted accepted) {
                accepted(accepted);
            } else if (response instanceof RegistrationResponse.Rejected rejected) {
                LOG.warn("job {}: JobMaster {} rejects the worker: {}", job, endpoint, rejected.reason());
                context.refused(job, jobMaster(), rejected.reason());
                end();
            }
        });
    }

    private void accepted(RegistrationResponse.Accepted answer) {
        connected = true;
        registration = answer.instance().number();
        lastTrouble = "";
        attempts.succeeded();
        intervalMillis = answer.heartbeatIntervalMillis();
        heartbeats.start(answer.heartbeatTimeoutMillis());
        reachability.start(answer.heartbeatIntervalMillis());
        LOG.info("job {}: registered at JobMaster {}", job, endpoint);
        if (registration <= letGo) {
            lost("it let the worker go before its answer was here");
        } else {
            offer();
        }
    }

    private void searchLater(Throwable failure) {
        if (!context.isNeeded(job)) {
            end();
            return;
        }
        long current = ++attempt;
        long pause = attempts.pauseAfter(failure);
        String cause = Attempts.message(failure);
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
        List<RpcAddress> addresses = new ArrayList<>(List.of(endpoint.address()));
        masters.stream().filter(address -> !addresses.contains(address)).forEach(addresses::add);
        mainThread.whenComplete(search.find(addresses), (target, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                searchLater(failure);
            } else if (target.token().equals(endpoint.token())) {
                register();
            } else {
                moveTo(target);
            }
        });
    }

    private Optional<String> objection(EndpointRef target) {
        return target.token().compareTo(endpoint.token()) < 0
                ? Optional.of("serves the older JobMaster " + target.token() + " than " + endpoint.token())
                : Optional.empty();
    }

    private void end() {
        if (!closed) {
            close();
            context.ended(this);
        }
    }

    /** Offers all slots that wait, when connected. */
    public void offer() {
        mainThread.assertCurrent();
        if (connected) {
            offering.offer(gateway, jobMaster());
        }
    }

    /** Tells that a slot the JobMaster believes to have is not there. */
    public void failSlot(AllocationId allocation, String cause) {
        JobMasterGateway told = gateway;
        CompletionStage<Acknowledge> answer = told.failSlot(self.worker(), self.session(), allocation, cause);
        mainThread.whenComplete(answer, (acknowledged, failure) -> {
            if (failure != null) {
                LOG.info(
                        "job {}: loss of slot {} not told: {}; the next heartbeat does",
                        job,
                        allocation,
                        Attempts.message(failure));
                if (told == gateway && !closed) {
                    reachability.failed(failure);
                }
            }
        });
    }
}
