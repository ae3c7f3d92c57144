package io.berth.core.scheduler.peers;

import io.berth.core.api.InstanceId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.Commit;
import io.berth.core.api.gateway.TaskExecutorGateway.CommitAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.heartbeat.HeartbeatMonitor;
import io.berth.core.api.heartbeat.HeartbeatSender;
import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that are registered at one job, and the heartbeats to them (FLIP-6). Confined to the main thread of the
 * job.
 */
public final class JobWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(JobWorkers.class);

    /** The owner. */
    public interface Listener {

        /** The slots that the job expects on the worker. */
        List<AllocationId> allocated(WorkerId worker);

        /** The tasks that the worker must be running now. */
        Set<AttemptId> expected(WorkerId worker);

        /** How many results of blocking edges the worker must be keeping now. */
        int expectedResults(WorkerId worker);

        /** The report of a worker, with the tasks and results that were expected when the heartbeat was sent. */
        void reported(WorkerId worker, Set<AttemptId> expected, int expectedResults, TaskReport report);

        /** The worker is no longer registered. */
        void workerLost(WorkerId worker, String cause);
    }

    private final JobIdentity job;
    private final Clock clock;
    private final RpcService rpc;
    private final HeartbeatSettings heartbeat;
    private final Supplier<Optional<EndpointRef>> resourceManager;
    private final Listener listener;
    private final HeartbeatSender sender;
    private final SortedMap<WorkerId, Connection> connections = new TreeMap<>();
    private long reports;
    private long registrations;
    private boolean closed;

    private final class Connection implements HeartbeatSender.Peer {

        private final WorkerAtJob worker;
        private final InstanceId registration = new InstanceId(++registrations);
        private final TaskExecutorGateway gateway;
        private final HeartbeatMonitor monitor = new HeartbeatMonitor(clock);
        private long latestOffer = Long.MIN_VALUE;
        /** Number of the last heartbeat that was answered. */
        private long answered;

        Connection(WorkerAtJob worker) {
            this.worker = worker;
            this.gateway = rpc.taskExecutor(worker.endpoint());
        }

        @Override
        public HeartbeatMonitor monitor() {
            return monitor;
        }

        @Override
        public CompletionStage<Runnable> heartbeat() {
            WorkerId id = worker.worker();
            Set<AttemptId> expected = listener.expected(id);
            int expectedResults = listener.expectedResults(id);
            long number = ++reports;
            return gateway.heartbeatFromJobMaster(new AllocatedSlots(
                            job.id(), job.jobMaster(), number, listener.allocated(id), resourceManager.get()))
                    .thenApply(report -> () -> {
                        answered = number;
                        listener.reported(id, expected, expectedResults, report);
                    });
        }

        @Override
        public boolean isCurrent() {
            return connections.get(worker.worker()) == this;
        }

        @Override
        public void lost(String cause) {
            WorkerId id = worker.worker();
            connections.remove(id);
            LOG.warn("job {}: worker {} was lost: {}", job.id(), id, cause);
            // If the worker is alive after all, it registers again and offers its slots.
            disconnect(cause);
            listener.workerLost(id, "worker " + id + " was lost: " + cause);
        }

        void disconnect(String cause) {
            gateway.disconnectJobMaster(job.id(), job.jobMaster(), registration, false, cause);
        }
    }

    /** @param resourceManager the known leader, which heartbeats announce to workers */
    public JobWorkers(
            JobIdentity job,
            MainThread thread,
            Clock clock,
            RpcService rpc,
            SchedulerConfiguration configuration,
            Supplier<Optional<EndpointRef>> resourceManager,
            Listener listener) {
        this.job = job;
        this.clock = clock;
        this.rpc = rpc;
        this.heartbeat = configuration.heartbeat();
        this.resourceManager = resourceManager;
        this.listener = listener;
        this.sender = new HeartbeatSender("JobMaster of " + job.id(), thread, clock, () -> heartbeat);
    }

    /** Registers a worker. A new session of a worker ends the old one with its slots; an older session is refused. */
    public RegistrationResponse register(WorkerAtJob worker) {
        if (closed) {
            return new RegistrationResponse.Rejected("job " + job.id() + " has ended");
        }
        Connection known = connections.get(worker.worker());
        if (known != null) {
            int order = worker.session().compareTo(known.worker.session());
            if (order < 0) {
                return new RegistrationResponse.Rejected("worker " + worker.worker() + " is registered at job "
                        + job.id() + " with the newer session " + known.worker.session());
            }
            if (order == 0) {
                known.monitor.heard();
                return accepted(known);
            }
            connections.remove(worker.worker());
            listener.workerLost(worker.worker(), "worker " + worker.worker() + " was started again");
        }
        if (connections.isEmpty()) {
            // Without workers, rounds are rare.
            sender.restart();
        }
        LOG.info("job {}: worker {} registered, session {}", job.id(), worker.worker(), worker.session());
        Connection connection = new Connection(worker);
        connections.put(worker.worker(), connection);
        return accepted(connection);
    }

    private RegistrationResponse accepted(Connection connection) {
        return new RegistrationResponse.Accepted(
                connection.registration, heartbeat.intervalMillis(), heartbeat.timeoutMillis());
    }

    /** Whether no worker is registered. */
    public boolean isEmpty() {
        return connections.isEmpty();
    }

    /** Whether that session of the worker is the registered one. */
    public boolean isRegistered(WorkerId worker, WorkerSessionId session) {
        Connection known = connections.get(worker);
        return known != null && known.worker.session().equals(session);
    }

    /**
     * Records the number of an offer.
     *
     * @return positive for the latest offer of the session, 0 for a copy of it, negative for an earlier one
     */
    public int order(WorkerId worker, long number) {
        Connection known = Objects.requireNonNull(connections.get(worker));
        int order = Long.compare(number, known.latestOffer);
        known.latestOffer = Math.max(known.latestOffer, number);
        return order;
    }

    public Optional<TaskExecutorGateway> gateway(WorkerId worker) {
        return Optional.ofNullable(connections.get(worker)).map(connection -> connection.gateway);
    }

    /** Requests a commit of a registered worker; empty when it is not registered. */
    public Optional<CompletionStage<CommitAnswer>> commit(
            WorkerId worker, AttemptId attempt, List<Committable> committables) {
        return Optional.ofNullable(connections.get(worker))
                .map(connection -> connection.gateway.commitTask(new Commit(
                        job.jobMaster(), attempt, committables, connection.registration, connection.answered)));
    }

    /** The worker as it registered. */
    public Optional<WorkerAtJob> find(WorkerId worker) {
        return Optional.ofNullable(connections.get(worker)).map(connection -> connection.worker);
    }

    /** Sends one round of heartbeats. */
    public void heartbeat() {
        sender.round(List.copyOf(connections.values()));
    }

    /** Another ResourceManager leads: the workers learn of it now, not with the next round. */
    public void announceResourceManager() {
        List.copyOf(connections.values()).forEach(sender::send);
    }

    /** The workers that are registered, by id. */
    public List<WorkerId> registered() {
        return List.copyOf(connections.keySet());
    }

    /** Another component has lost that session of the worker. */
    public void lose(WorkerId worker, WorkerSessionId session, String cause) {
        Connection known = connections.get(worker);
        if (known != null && known.worker.session().equals(session)) {
            known.lost(cause);
        }
    }

    /** These results are no longer needed. When the call is lost, they are released at the end of the job. */
    public void releaseResults(SortedMap<WorkerId, List<PartitionId>> results) {
        results.forEach((worker, partitions) ->
                gateway(worker).ifPresent(gateway -> gateway.releaseResults(job.id(), job.jobMaster(), partitions)));
    }

    /** The job has no slot on the worker: the registration ends. */
    public void disconnect(WorkerId worker, String cause) {
        Connection known = connections.remove(worker);
        if (known != null) {
            LOG.info("job {}: worker {} is disconnected: {}", job.id(), worker, cause);
            known.disconnect(cause);
        }
    }

    /** A worker that was registered when the job ended. */
    public record Last(WorkerId worker, InstanceId registration, TaskExecutorGateway gateway) {}

    /** Ends all registrations and accepts no further ones; returns the workers that were registered. */
    public List<Last> close() {
        closed = true;
        List<Last> last = connections.values().stream()
                .map(connection -> new Last(connection.worker.worker(), connection.registration, connection.gateway))
                .toList();
        connections.clear();
        return last;
    }
}
