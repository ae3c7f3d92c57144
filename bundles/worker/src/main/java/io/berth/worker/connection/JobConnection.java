package io.berth.worker.connection;

import io.berth.core.api.InstanceId;
import io.berth.core.api.JobMasterId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.JobMasterGateway;
import io.berth.core.api.gateway.JobMasterGateway.SlotOffer;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.registration.LeaderSearch;
import io.berth.core.api.registration.RegisteredConnection;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.worker.settings.WorkerSettings;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Connects a worker to the JobMaster of one job: registers, offers slots, reports task states, and finds the JobMaster again
 * when it is lost (FLIP-6), at its address or at the control plane. Confined to the main thread of the TaskExecutor.
 */
public final class JobConnection {

    private static final Logger LOG = LoggerFactory.getLogger(JobConnection.class);
    private static final long PROBE_MILLIS = 2_000;
    /** Slots wait for their JobMaster for a limited time: several attempts must fit into it. */
    private static final int PAUSES_PER_SLOT_TIMEOUT = 4;

    /** What the connection needs of the TaskExecutor. */
    public interface Context {

        /** The slots that wait for the JobMaster, in the order of their allocations. */
        List<SlotOffer> waiting(JobId job);

        /** Whether the job has a slot or a result here, so that the JobMaster must be found. */
        boolean isNeeded(JobId job);

        /** The number of the next offer: higher than all before of this worker. */
        long nextOffer();

        /**
         * The JobMaster accepted the slot.
         *
         * @return false when the slot is gone
         */
        boolean accepted(JobId job, JobMasterId jobMaster, AllocationId allocation);

        /** The JobMaster did not accept the slot. */
        void rejected(JobId job, JobMasterId jobMaster, AllocationId allocation, String cause);

        /** The JobMaster does not want this worker. */
        void refused(JobId job, JobMasterId jobMaster, String reason);

        /** The tasks of that JobMaster must end, and the slots wait for {@code next}, which may be the same. */
        void lost(JobId job, JobMasterId jobMaster, EndpointRef next, String cause);

        /** The worker is registered at the JobMaster. */
        void registered(JobId job);

        /** The JobMaster has received the update. */
        void acknowledged(JobMasterGateway.TaskUpdate update);

        /** The connection is no longer needed. */
        void ended(JobConnection connection);
    }

    private final JobId job;
    private final WorkerAtJob self;
    private final List<RpcAddress> masters;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Clock clock;
    private final Context context;
    private final RegisteredConnection<JobMasterGateway> connection;
    private final LeaderSearch search;
    private final SlotOffering offering;

    private EndpointRef endpoint;
    private JobMasterGateway gateway;
    private TaskUpdates updates;
    private boolean closed;
    private boolean probing;
    private long latestReport = Long.MIN_VALUE;
    /** The number that the JobMaster gave the present registration. */
    private long registration;
    /** The last registration that the JobMaster ended: a copy of that message has no effect on a later registration. */
    private long endedRegistration = Long.MIN_VALUE;

    private long intervalMillis;
    private long timeoutMillis;
    private long registering;
    /** When each of the last heartbeats was answered, by its number; the registration has number 0. */
    private final SortedMap<Long, Long> answered = new TreeMap<>();

    public JobConnection(
            JobId job,
            EndpointRef endpoint,
            WorkerAtJob self,
            WorkerSettings settings,
            RpcService rpc,
            MainThread mainThread,
            Clock clock,
            Context context) {
        this.job = job;
        this.self = self;
        this.masters = settings.masters();
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.clock = clock;
        this.context = context;
        this.connection = new RegisteredConnection<>(
                "job " + job,
                settings.registration().withPausesUpTo(settings.slotTimeoutMillis() / PAUSES_PER_SLOT_TIMEOUT),
                mainThread,
                clock,
                new Owner());
        this.search = new LeaderSearch(endpoint.name(), rpc, mainThread, connection::objection);
        this.offering = new SlotOffering(job, self, mainThread, connection, context, this::failSlot);
        this.endpoint = endpoint;
        this.gateway = rpc.jobMaster(endpoint);
        this.updates = newUpdates();
    }

    private TaskUpdates newUpdates() {
        return new TaskUpdates(gateway, mainThread, context::acknowledged, connection::callFailed);
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

    /** Whether the worker is registered at the JobMaster. */
    public boolean isConnected() {
        return connection.gateway().isPresent();
    }

    /** How often the JobMaster sends heartbeats, in milliseconds; 0 until it is known. */
    public long heartbeatMillis() {
        return intervalMillis;
    }

    public void start() {
        connection.connect(endpoint);
    }

    /**
     * A heartbeat of the JobMaster.
     *
     * @return whether it is the newest, so that its list of slots counts
     */
    public boolean heartbeat(long number) {
        connection.heard();
        boolean newer = number > latestReport;
        latestReport = Math.max(latestReport, number);
        if (newer) {
            answered.put(number, clock.millis());
        }
        answered.values().removeIf(this::isTooOld);
        return newer;
    }

    /**
     * Whether the JobMaster cannot have lost this worker since it sent a message. It loses a worker that it has not heard of
     * for some time, and when it sent the message, it had heard the answer to that heartbeat.
     */
    public boolean isInTime(InstanceId ofRegistration, long heartbeat) {
        Long at = ofRegistration.number() == registration ? answered.get(heartbeat) : null;
        return at != null && !isTooOld(at);
    }

    private boolean isTooOld(long millis) {
        return clock.millis() - millis >= timeoutMillis;
    }

    /** Another JobMaster leads the job: the tasks of the one before end. */
    public void moveTo(EndpointRef next) {
        connection.connect(next);
    }

    /** The JobMaster ended that registration and those before. */
    public void disconnect(InstanceId ended, String cause) {
        mainThread.assertCurrent();
        endedRegistration = Math.max(endedRegistration, ended.number());
        if (registration <= endedRegistration) {
            connection.lost(cause);
        }
    }

    /** Another component says that the JobMaster is lost: it is asked, and lost if it does not answer. */
    public void suspect(String cause) {
        mainThread.assertCurrent();
        if (!isConnected() || probing) {
            return;
        }
        probing = true;
        TaskUpdates current = updates;
        CompletionStage<RegistrationResponse> answer =
                mainThread.within(PROBE_MILLIS, "question to JobMaster " + endpoint, gateway.registerWorker(self));
        mainThread.whenComplete(answer, (response, failure) -> {
            probing = false;
            if (current != updates || closed) {
                return;
            }
            if (failure != null) {
                connection.lost(cause + "; when asked, it did not answer: " + Failures.text(failure));
            } else if (response instanceof RegistrationResponse.Rejected rejected) {
                connection.lost(cause + "; when asked, it rejected the worker: " + rejected.reason());
            } else if (response instanceof RegistrationResponse.Accepted accepted
                    && accepted.instance().number() != registration) {
                connection.lost(cause + "; when asked, it does not know the slots of this worker");
            } else {
                LOG.info("job {}: JobMaster {} is alive although it was reported lost: {}", job, endpoint, cause);
            }
        });
    }

    public void close() {
        closed = true;
        connection.close();
        leave();
    }

    /** Ends the connection when the job has neither a slot nor a result here. */
    public void endUnlessNeeded() {
        if (!context.isNeeded(job)) {
            end();
        }
    }

    private void leave() {
        offering.stop();
        updates.close();
    }

    private void end() {
        if (!closed) {
            close();
            context.ended(this);
        }
    }

    private final class Owner implements RegisteredConnection.Owner<JobMasterGateway> {

        @Override
        public CompletionStage<EndpointRef> find() {
            if (!context.isNeeded(job)) {
                end();
                return new CompletableFuture<>();
            }
            Set<RpcAddress> addresses = new LinkedHashSet<>(List.of(endpoint.address()));
            addresses.addAll(masters);
            return search.find(List.copyOf(addresses));
        }

        @Override
        public JobMasterGateway gateway(EndpointRef leader) {
            return rpc.jobMaster(leader);
        }

        @Override
        public void leaderFound(EndpointRef next, JobMasterGateway itsGateway) {
            JobMasterId before = jobMaster();
            leave();
            endpoint = next;
            gateway = itsGateway;
            updates = newUpdates();
            if (before.equals(jobMaster())) {
                return;
            }
            latestReport = Long.MIN_VALUE;
            endedRegistration = Long.MIN_VALUE;
            context.lost(job, before, next, "job " + job + " is led by JobMaster " + jobMaster());
        }

        @Override
        public CompletionStage<RegistrationResponse> register(JobMasterGateway leader) {
            registering = clock.millis();
            return leader.registerWorker(self);
        }

        @Override
        public void registered(JobMasterGateway leader, RegistrationResponse.Accepted answer) {
            registration = answer.instance().number();
            intervalMillis = answer.heartbeatIntervalMillis();
            timeoutMillis = answer.heartbeatTimeoutMillis();
            answered.clear();
            answered.put(0L, registering);
            if (registration <= endedRegistration) {
                connection.lost("it ended the registration before its answer arrived");
            } else {
                context.registered(job);
                offer();
            }
        }

        @Override
        public void rejected(EndpointRef leader, String reason) {
            LOG.warn("job {}: JobMaster {} rejects the worker: {}", job, leader, reason);
            context.refused(job, jobMaster(), reason);
            end();
        }

        @Override
        public void failed(String cause) {
            endUnlessNeeded();
        }

        /** The tasks end; the slots wait while the JobMaster is searched. */
        @Override
        public void lost(EndpointRef leader, String cause) {
            LOG.warn("job {}: lost JobMaster {}: {}", job, leader, cause);
            leave();
            updates = newUpdates();
            context.lost(job, jobMaster(), leader, "JobMaster lost: " + cause);
        }
    }

    /** Offers all waiting slots when registered. */
    public void offer() {
        mainThread.assertCurrent();
        if (isConnected()) {
            offering.offer(gateway, jobMaster());
        }
    }

    /** Reports that a slot that the JobMaster expects is missing. */
    public void failSlot(AllocationId allocation, String cause) {
        JobMasterGateway called = gateway;
        CompletionStage<Acknowledge> answer = called.failSlot(self.worker(), self.session(), allocation, cause);
        mainThread.whenComplete(answer, (acknowledged, failure) -> {
            if (failure != null) {
                LOG.info(
                        "job {}: the JobMaster does not know that slot {} is lost: {}; the next heartbeat says it",
                        job,
                        allocation,
                        Failures.text(failure));
                if (called == gateway) {
                    connection.callFailed(failure);
                }
            }
        });
    }
}
