package io.berth.worker.connection;

import io.berth.core.api.FencingToken;
import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import io.berth.worker.peer.Attempts;
import io.berth.worker.peer.HeartbeatMonitor;
import io.berth.worker.peer.LeaderSearch;
import io.berth.worker.peer.Reachability;
import io.berth.worker.peer.RegistrationAttempts;
import io.berth.worker.settings.WorkerSettings;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps a worker registered at the ResourceManager (FLIP-6). An attempt finds the leader among the addresses of the
 * control plane and registers with all slots; attempts are repeated until one succeeds or the worker is rejected. One
 * with an older epoch than that of a leader seen before is none. JobMasters and the machine of the worker may say that
 * another one leads: its address is added, and the worker goes there at once. Losing the ResourceManager touches no slot
 * and no task; being without one for too long ends the process.
 *
 * <p>Belongs to the main thread of the TaskExecutor.
 */
public final class ResourceManagerConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerConnection.class);
    /** So many heartbeats may be missing before the worker asks who leads. */
    private static final int LATE_HEARTBEATS = 2;

    /** What the connection needs of the worker. */
    public interface Context {

        /** The worker with the slots it has now. */
        WorkerRegistration registration();

        /** The ResourceManager does not want this worker. */
        void rejected(String reason);

        /** There was no ResourceManager for longer than allowed. */
        void abandoned(String cause);
    }

    private final WorkerId worker;
    private final List<RpcAddress> masters;
    private final long abandonMillis;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Timers timers;
    private final Context context;
    private final HeartbeatMonitor heartbeats;
    private final HeartbeatMonitor punctuality;
    private final Reachability reachability;
    private final RegistrationAttempts attempts;
    private final LeaderSearch search;
    /** Freed while the registration that lists them is on its way. */
    private final List<Freed> untold = new ArrayList<>();

    private Optional<EndpointRef> registering = Optional.empty();
    private Optional<Registered> registered = Optional.empty();
    private Optional<EndpointRef> last = Optional.empty();
    /** The newest that was found, registered there or not: its answer may only be late. */
    private Optional<FencingToken> newest = Optional.empty();
    /** The newest that others say leads. */
    private Optional<EndpointRef> told = Optional.empty();

    private Optional<Timers.Cancellable> abandonTimer = Optional.empty();
    private long abandonTicket;
    private long attempt;
    private String lastFailure = "";
    private boolean closed;

    public ResourceManagerConnection(
            WorkerSettings settings,
            RpcService rpc,
            MainThread mainThread,
            Timers timers,
            Clock clock,
            Context context) {
        this.worker = settings.worker();
        this.masters = settings.masters();
        this.abandonMillis = settings.resourceManagerTimeoutMillis();
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.timers = timers;
        this.context = context;
        this.heartbeats = new HeartbeatMonitor(mainThread, clock, () -> lost("no heartbeat in time"));
        this.punctuality = new HeartbeatMonitor(mainThread, clock, this::late);
        this.reachability = new Reachability(clock, () -> lost("it cannot be reached, or another one is in its place"));
        this.attempts = new RegistrationAttempts(settings.registration());
        this.search = new LeaderSearch(EndpointName.RESOURCE_MANAGER, rpc, mainThread, timers, this::objection);
    }

    public void start() {
        mainThread.assertCurrent();
        startAbandonTimer();
        connect();
    }

    /**
     * Whether a message of that ResourceManager counts: the worker is registered at it, or has asked it to be. A leader
     * may ask for slots before its answer to the registration is here.
     */
    public boolean isFrom(ResourceManagerId resourceManager) {
        return registered
                .map(Registered::endpoint)
                .or(() -> registering)
                .filter(endpoint -> endpoint.token().equals(resourceManager.token()))
                .isPresent();
    }

    /** Somebody says who leads. At one that is newer than all that are known the worker registers at once. */
    public void leads(EndpointRef leader) {
        mainThread.assertCurrent();
        long epoch = leader.token().epoch();
        if (closed
                || newest.filter(known -> epoch <= known.epoch()).isPresent()
                || told.filter(known -> epoch <= known.token().epoch()).isPresent()) {
            return;
        }
        told = Optional.of(leader);
        leave("a newer one leads, " + leader);
        attempts.succeeded();
        register(begin(), leader);
    }

    public void heartbeat() {
        heartbeats.heartbeat();
        punctuality.heartbeat();
        reachability.heard();
    }

    /** The ResourceManager let the worker go. */
    public void disconnected(ResourceManagerId resourceManager, String cause) {
        mainThread.assertCurrent();
        if (isFrom(resourceManager)) {
            lost("it let the worker go: " + cause);
        }
    }

    /** Tells that a slot is free. A notice that gets lost is made up for by the next slot report. */
    public void slotFreed(AllocationId allocation, JobId job, String cause) {
        mainThread.assertCurrent();
        if (registered.isPresent()) {
            send(registered.get(), new Freed(allocation, job, cause));
        } else if (registering.isPresent()) {
            untold.add(new Freed(allocation, job, cause));
        }
    }

    /** Leaves. No attempt is made any more. */
    public CompletionStage<Acknowledge> close(String cause) {
        mainThread.assertCurrent();
        closed = true;
        attempt++;
        stopHeartbeats();
        stopAbandonTimer();
        Optional<Registered> left = registered;
        registered = Optional.empty();
        registering = Optional.empty();
        return left.map(connection -> connection.gateway().disconnectWorker(connection.instance(), cause))
                .orElseGet(() -> CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE));
    }

    private void connect() {
        if (closed) {
            return;
        }
        long current = begin();
        mainThread.whenComplete(search.find(addresses()), (endpoint, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                retry(failure);
            } else {
                register(current, endpoint);
            }
        });
    }

    /** Begins another attempt; answers to those before have no effect. */
    private long begin() {
        untold.clear();
        return ++attempt;
    }

    /** All of them: the one that is said to lead first, then the one that served last. */
    private List<RpcAddress> addresses() {
        Set<RpcAddress> addresses = new LinkedHashSet<>();
        told.map(EndpointRef::address).ifPresent(addresses::add);
        last.map(EndpointRef::address).ifPresent(addresses::add);
        addresses.addAll(masters);
        return List.copyOf(addresses);
    }

    private Optional<String> objection(EndpointRef endpoint) {
        return newest.filter(known -> endpoint.token().epoch() < known.epoch())
                .map(known -> "serves the older ResourceManager " + endpoint.token() + " than " + known
                        + ", which the worker has found before");
    }

    private void register(long current, EndpointRef endpoint) {
        registering = Optional.of(endpoint);
        newest = Optional.of(endpoint.token());
        long millis = attempts.next();
        ResourceManagerGateway gateway = rpc.resourceManager(endpoint);
        CompletionStage<RegistrationResponse> answer = Attempts.within(
                timers, millis, "registration of worker " + worker, gateway.registerWorker(context.registration()));
        mainThread.whenComplete(answer, (response, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                retry(failure);
            } else if (response instanceof RegistrationResponse.Accepted accepted) {
                accepted(
                        new Registered(endpoint, gateway, accepted.instance(), accepted.heartbeatIntervalMillis()),
                        accepted);
            } else if (response instanceof RegistrationResponse.Rejected rejected) {
                LOG.error(
                        "worker {}: ResourceManager {} rejects the registration: {}",
                        worker,
                        endpoint,
                        rejected.reason());
                context.rejected(rejected.reason());
            }
        });
    }

    private void accepted(Registered connection, RegistrationResponse.Accepted answer) {
        registered = Optional.of(connection);
        registering = Optional.empty();
        last = Optional.of(connection.endpoint());
        lastFailure = "";
        attempts.succeeded();
        stopAbandonTimer();
        heartbeats.start(answer.heartbeatTimeoutMillis());
        punctuality.start(answer.heartbeatIntervalMillis() * LATE_HEARTBEATS);
        reachability.start(answer.heartbeatIntervalMillis());
        List<Freed> notices = List.copyOf(untold);
        untold.clear();
        notices.forEach(notice -> send(connection, notice));
        LOG.info(
                "worker {}: registered at ResourceManager {} as instance {}",
                worker,
                connection.endpoint(),
                connection.instance());
    }

    /** Heartbeats that are late may come from nobody: another one leads and does not know of this worker. */
    private void late() {
        long current = attempt;
        Registered asked = registered.orElseThrow();
        mainThread.whenComplete(search.find(addresses()), (endpoint, failure) -> {
            if (current != attempt || registered.filter(asked::equals).isEmpty()) {
                return;
            }
            if (failure == null
                    && endpoint.token().epoch() > asked.endpoint().token().epoch()) {
                lost("a newer one leads, " + endpoint);
            } else {
                punctuality.start(asked.heartbeatMillis() * LATE_HEARTBEATS);
            }
        });
    }

    private void stopHeartbeats() {
        heartbeats.stop();
        punctuality.stop();
    }

    private void retry(Throwable failure) {
        if (!Attempts.isLate(failure)) {
            registering = Optional.empty();
        }
        long pause = attempts.pauseAfter(failure);
        long current = ++attempt;
        String message = Attempts.message(failure);
        // Once for each new reason: it may go on for minutes.
        LOG.atLevel(message.equals(lastFailure) ? Level.DEBUG : Level.INFO)
                .log(
                        "worker {}: not registered at the ResourceManager of {}: {}; trying again in {} ms",
                        worker,
                        named(),
                        message,
                        pause);
        lastFailure = message;
        mainThread.schedule(pause, () -> {
            if (current == attempt) {
                connect();
            }
        });
    }

    private void lost(String cause) {
        if (!closed) {
            leave(cause);
            connect();
        }
    }

    private void leave(String cause) {
        registering = Optional.empty();
        stopHeartbeats();
        if (registered.isPresent()) {
            LOG.warn(
                    "worker {}: lost ResourceManager {}: {}; slots and tasks stay, registering again",
                    worker,
                    registered.get().endpoint(),
                    cause);
            registered = Optional.empty();
            startAbandonTimer();
            attempts.succeeded();
        }
    }

    private void send(Registered connection, Freed freed) {
        CompletionStage<Acknowledge> told = connection
                .gateway()
                .slotFreed(new SlotFreed(connection.instance(), freed.allocation(), freed.job(), freed.cause()));
        mainThread.whenComplete(told, (acknowledged, failure) -> {
            boolean current = registered.filter(connection::equals).isPresent();
            if (failure == null && current) {
                reachability.heard();
            } else if (failure != null) {
                LOG.info(
                        "worker {}: slot {} of job {} is free, not told: {}; the next slot report does",
                        worker,
                        freed.allocation(),
                        freed.job(),
                        Attempts.message(failure));
                if (current) {
                    reachability.failed(failure);
                }
            }
        });
    }

    private String named() {
        return masters.stream().map(RpcAddress::toString).collect(Collectors.joining(", "));
    }

    private void startAbandonTimer() {
        stopAbandonTimer();
        long current = abandonTicket;
        abandonTimer = Optional.of(mainThread.schedule(abandonMillis, () -> {
            if (current == abandonTicket && !closed) {
                context.abandoned("no ResourceManager at " + named() + " for " + abandonMillis + " ms"
                        + (lastFailure.isEmpty() ? "" : "; the last attempt ended so: " + lastFailure));
            }
        }));
    }

    /** One that has gone off already and waits for its turn has no effect either. */
    private void stopAbandonTimer() {
        abandonTicket++;
        abandonTimer.ifPresent(Timers.Cancellable::cancel);
        abandonTimer = Optional.empty();
    }

    private record Registered(
            EndpointRef endpoint, ResourceManagerGateway gateway, InstanceId instance, long heartbeatMillis) {}

    private record Freed(AllocationId allocation, JobId job, String cause) {}
}
