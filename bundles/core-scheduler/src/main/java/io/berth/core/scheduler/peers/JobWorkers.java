package io.berth.core.scheduler.peers;

import io.berth.core.api.InstanceId;
import io.berth.core.api.WorkerSessionId;
import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.gateway.TaskExecutorGateway;
import io.berth.core.api.gateway.TaskExecutorGateway.AllocatedSlots;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.PauseDetector;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobThread;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The workers that are registered at one job, and the heartbeats to them (FLIP-6). A worker is given up when it has not
 * answered for the timeout, after a few heartbeats in a row that did not reach it, or at once when nobody answers to its
 * session any more. For the main thread of the job.
 */
public final class JobWorkers {

    private static final Logger LOG = LoggerFactory.getLogger(JobWorkers.class);

    /** The owner. */
    public interface Listener {

        /** The slots that the job believes to have on the worker. */
        List<AllocationId> allocated(WorkerId worker);

        /** The tasks that the worker must be running at this moment. */
        Set<AttemptId> expected(WorkerId worker);

        /** What a worker runs, with what was expected when it was asked. */
        void reported(WorkerId worker, Set<AttemptId> expected, TaskReport report);

        /** The worker is not registered any more. */
        void workerLost(WorkerId worker, String cause);
    }

    private final JobIdentity job;
    private final JobThread thread;
    private final Clock clock;
    private final RpcService rpc;
    private final long intervalMillis;
    private final long timeoutMillis;
    private final int failuresMax;
    private final Supplier<Optional<EndpointRef>> resourceManager;
    private final Listener listener;
    private final SortedMap<WorkerId, Connection> connections = new TreeMap<>();
    private final PauseDetector beatWatch;
    private long reports;
    private long registrations;
    private boolean closed;

    private static final class Connection {
        private final WorkerAtJob worker;
        private final InstanceId registration;
        private final TaskExecutorGateway gateway;
        private long lastHeardMillis;
        private int unreached;
        private long askedMillis;
        /** By the numbers of the heartbeats: the last one, the newest with an outcome, the newest with an answer. */
        private long asked;

        private long settled;
        private long answered;
        private long latestOffer = Long.MIN_VALUE;

        Connection(WorkerAtJob worker, InstanceId registration, TaskExecutorGateway gateway, long now) {
            this.worker = worker;
            this.registration = registration;
            this.gateway = gateway;
            this.lastHeardMillis = now;
        }
    }

    /** @param resourceManager the one that leads, as far as is known: workers are told */
    public JobWorkers(
            JobIdentity job,
            JobThread thread,
            Clock clock,
            RpcService rpc,
            SchedulerConfiguration configuration,
            Supplier<Optional<EndpointRef>> resourceManager,
            Listener listener) {
        this.job = job;
        this.thread = thread;
        this.clock = clock;
        this.beatWatch = new PauseDetector(clock);
        this.rpc = rpc;
        this.intervalMillis = configuration.heartbeatIntervalMillis();
        this.timeoutMillis = configuration.heartbeatTimeoutMillis();
        this.failuresMax = configuration.heartbeatFailuresMax();
        this.resourceManager = resourceManager;
        this.listener = listener;
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
                known.lastHeardMillis = clock.millis();
                return accepted(known);
            }
            connections.remove(worker.worker());
            listener.workerLost(worker.worker(), "worker " + worker.worker() + " was started again");
        }
        if (connections.isEmpty()) {
            // Alone it beats seldom.
            beatWatch.begin();
        }
        LOG.info("job {}: worker {} registered, session {}", job.id(), worker.worker(), worker.session());
        Connection connection = new Connection(
                worker, new InstanceId(++registrations), rpc.taskExecutor(worker.endpoint()), clock.millis());
        connections.put(worker.worker(), connection);
        return accepted(connection);
    }

    private RegistrationResponse accepted(Connection connection) {
        return new RegistrationResponse.Accepted(connection.registration, intervalMillis, timeoutMillis);
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
     * Notes an offer of a registered worker.
     *
     * @return positive when it is the latest of its session, 0 for the latest once more, negative for an earlier one
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

    /** The worker as it registered. */
    public Optional<WorkerAtJob> find(WorkerId worker) {
        return Optional.ofNullable(connections.get(worker)).map(connection -> connection.worker);
    }

    /** Sends one round of heartbeats and gives up who was silent too long. After it stood still itself, nobody was. */
    public void heartbeat() {
        long now = clock.millis();
        long still = beatWatch.pausedMillis(intervalMillis, timeoutMillis);
        if (still > 0) {
            LOG.warn("job {}: the JobMaster stood still for {} ms; workers get their time again", job.id(), still);
            connections.values().forEach(connection -> connection.lastHeardMillis = now);
        }
        for (Connection connection : List.copyOf(connections.values())) {
            long silent = now - connection.lastHeardMillis;
            if (silent > timeoutMillis) {
                lose(connection, "has not answered for " + silent + " ms");
            } else if (connection.asked == connection.settled || now - connection.askedMillis >= patienceMillis()) {
                ask(connection);
            }
        }
    }

    /** Another ResourceManager leads: workers learn of it now, and not with the next round. */
    public void announceResourceManager() {
        connections.values().forEach(this::ask);
    }

    /** The workers that are registered, by id. */
    public List<WorkerId> registered() {
        return List.copyOf(connections.keySet());
    }

    /** So long a heartbeat holds up the next one: several fit into the time-out, so that one may be lost. */
    private long patienceMillis() {
        return Math.max(intervalMillis, timeoutMillis / 3);
    }

    private void ask(Connection connection) {
        WorkerId worker = connection.worker.worker();
        Set<AttemptId> expected = listener.expected(worker);
        long number = ++connection.asked;
        connection.askedMillis = clock.millis();
        thread.whenComplete(
                connection.gateway.heartbeatFromJobMaster(new AllocatedSlots(
                        job.id(), job.jobMaster(), ++reports, listener.allocated(worker), resourceManager.get())),
                (report, failure) -> {
                    connection.settled = Math.max(connection.settled, number);
                    if (connections.get(worker) != connection) {
                        return;
                    }
                    if (failure == null) {
                        connection.unreached = 0;
                        connection.lastHeardMillis = clock.millis();
                    }
                    if (number < connection.answered) {
                        // A later one was answered: what this one tells is out of date.
                        return;
                    }
                    if (failure == null) {
                        connection.answered = number;
                        listener.reported(worker, expected, report);
                    } else {
                        unanswered(connection, failure);
                    }
                });
    }

    private void unanswered(Connection connection, Throwable failure) {
        if (Failures.isGone(failure)) {
            lose(connection, "is gone: " + Failures.text(failure));
            return;
        }
        Optional<RpcException.Kind> kind = Failures.kind(failure);
        if (kind.filter(RpcException.Kind.DEADLINE::equals).isPresent()) {
            return;
        }
        connection.unreached++;
        if (failuresMax > 0 && connection.unreached >= failuresMax) {
            boolean away = kind.filter(RpcException.Kind.UNREACHABLE::equals).isPresent();
            lose(connection, (away ? "cannot be reached: " : "refuses heartbeats: ") + Failures.text(failure));
        }
    }

    /** That session of the worker was given up by somebody who must know. */
    public void lose(WorkerId worker, WorkerSessionId session, String cause) {
        Connection known = connections.get(worker);
        if (known != null && known.worker.session().equals(session)) {
            lose(known, cause);
        }
    }

    /** The job has no slot of the worker any more: it need not be registered. */
    public void disconnect(WorkerId worker, String cause) {
        Connection known = connections.remove(worker);
        if (known != null) {
            LOG.info("job {}: lets worker {} go: {}", job.id(), worker, cause);
            disconnect(known, cause);
        }
    }

    private void lose(Connection connection, String cause) {
        WorkerId worker = connection.worker.worker();
        connections.remove(worker);
        LOG.warn("job {}: worker {} {}", job.id(), worker, cause);
        // When the worker lives after all, it frees the slots and registers again.
        disconnect(connection, cause);
        listener.workerLost(worker, "worker " + worker + " " + cause);
    }

    private void disconnect(Connection connection, String cause) {
        connection.gateway.disconnectJobMaster(job.id(), job.jobMaster(), connection.registration, false, cause);
    }

    /** A worker that was registered when nobody could register any more. */
    public record Last(WorkerId worker, InstanceId registration, TaskExecutorGateway gateway) {}

    /** The workers that are registered now; nobody can register any more. */
    public List<Last> close() {
        closed = true;
        List<Last> last = connections.values().stream()
                .map(connection -> new Last(connection.worker.worker(), connection.registration, connection.gateway))
                .toList();
        connections.clear();
        return last;
    }
}
