package io.berth.worker.connection;

import io.berth.core.api.InstanceId;
import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.Acknowledge;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.SlotFreed;
import io.berth.core.api.gateway.ResourceManagerGateway.WorkerRegistration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.heartbeat.HeartbeatReceiver;
import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.registration.LeaderSearch;
import io.berth.core.api.registration.RegisteredConnection;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.spi.AllocationId;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
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

/**
 * Keeps a worker registered at the leading ResourceManager (FLIP-6), which it finds among the addresses of the control
 * plane and the address of the newest leader. When the ResourceManager is lost, slots and tasks stay; when there is none for
 * too long, the process ends. Confined to the main thread of the TaskExecutor.
 */
public final class ResourceManagerConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerConnection.class);
    /** After so many missing heartbeats the worker asks which ResourceManager leads. */
    private static final int LATE_HEARTBEATS = 2;

    /** What the connection needs of the worker. */
    public interface Context {

        /** The worker with its present slots. */
        WorkerRegistration registration();

        /** The ResourceManager does not want this worker. */
        void rejected(String reason);

        /** There was no ResourceManager for longer than allowed. */
        void abandoned(String cause);
    }

    private record Freed(AllocationId allocation, JobId job, String cause) {}

    private final WorkerId worker;
    private final List<RpcAddress> masters;
    private final long abandonMillis;
    private final RpcService rpc;
    private final MainThread mainThread;
    private final Clock clock;
    private final Context context;
    private final RegisteredConnection<ResourceManagerGateway> connection;
    private final LeaderSearch search;
    /** Freed while the registration that lists them is under way. */
    private final List<Freed> unreported = new ArrayList<>();

    private InstanceId instance = new InstanceId(0);
    private Optional<HeartbeatReceiver> punctuality = Optional.empty();
    private Timers.Cancellable abandonTimer = () -> {};

    public ResourceManagerConnection(
            WorkerSettings settings, RpcService rpc, MainThread mainThread, Clock clock, Context context) {
        this.worker = settings.worker();
        this.masters = settings.masters();
        this.abandonMillis = settings.resourceManagerTimeoutMillis();
        this.rpc = rpc;
        this.mainThread = mainThread;
        this.clock = clock;
        this.context = context;
        this.connection =
                new RegisteredConnection<>("worker " + worker, settings.registration(), mainThread, clock, new Owner());
        this.search = new LeaderSearch(EndpointName.RESOURCE_MANAGER, rpc, mainThread, connection::objection);
    }

    public void start() {
        mainThread.assertCurrent();
        startAbandonTimer();
        connection.connect();
    }

    /** Whether a call of that ResourceManager counts: the worker is registered there, or has asked to be. */
    public boolean isFrom(ResourceManagerId resourceManager) {
        return connection.isConnectedTo(resourceManager.token());
    }

    /** A JobMaster or the machine of the worker says which ResourceManager leads. */
    public void leads(EndpointRef leader) {
        connection.connect(leader);
    }

    public void heartbeat() {
        connection.heard();
        punctuality.ifPresent(HeartbeatReceiver::heard);
    }

    /** The ResourceManager has ended the registration. */
    public void disconnected(ResourceManagerId resourceManager, String cause) {
        mainThread.assertCurrent();
        if (connection.isRegisteredAt(resourceManager.token())) {
            connection.lost("it ended the registration: " + cause);
        } else if (isFrom(resourceManager)) {
            connection.connect();
        }
    }

    /** Reports that a slot is free. The next slot report makes up for a lost call. */
    public void slotFreed(AllocationId allocation, JobId job, String cause) {
        mainThread.assertCurrent();
        Freed freed = new Freed(allocation, job, cause);
        connection.gateway().ifPresentOrElse(gateway -> send(gateway, freed), () -> unreported.add(freed));
    }

    /** Leaves, and makes no further attempt. */
    public CompletionStage<Acknowledge> close(String cause) {
        mainThread.assertCurrent();
        Optional<ResourceManagerGateway> left = connection.gateway();
        connection.close();
        punctuality.ifPresent(HeartbeatReceiver::stop);
        abandonTimer.cancel();
        return left.map(gateway -> gateway.disconnectWorker(instance, cause))
                .orElseGet(() -> CompletableFuture.completedStage(Acknowledge.ACKNOWLEDGE));
    }

    private final class Owner implements RegisteredConnection.Owner<ResourceManagerGateway> {

        @Override
        public CompletionStage<EndpointRef> find() {
            Set<RpcAddress> addresses = new LinkedHashSet<>();
            connection.leader().map(EndpointRef::address).ifPresent(addresses::add);
            addresses.addAll(masters);
            return search.find(List.copyOf(addresses));
        }

        @Override
        public ResourceManagerGateway gateway(EndpointRef leader) {
            return rpc.resourceManager(leader);
        }

        @Override
        public CompletionStage<RegistrationResponse> register(ResourceManagerGateway gateway) {
            unreported.clear();
            return gateway.registerWorker(context.registration());
        }

        @Override
        public void registered(ResourceManagerGateway gateway, RegistrationResponse.Accepted answer) {
            instance = answer.instance();
            abandonTimer.cancel();
            watchPunctuality(answer.heartbeatIntervalMillis());
            List<Freed> notices = List.copyOf(unreported);
            unreported.clear();
            notices.forEach(notice -> send(gateway, notice));
        }

        @Override
        public void rejected(EndpointRef leader, String reason) {
            LOG.error("worker {}: ResourceManager {} rejects the registration: {}", worker, leader, reason);
            context.rejected(reason);
        }

        @Override
        public void failed(String cause) {}

        @Override
        public void lost(EndpointRef leader, String cause) {
            LOG.warn(
                    "worker {}: lost ResourceManager {}: {}; slots and tasks stay, registering again",
                    worker,
                    leader,
                    cause);
            punctuality.ifPresent(HeartbeatReceiver::stop);
            startAbandonTimer();
        }
    }

    /** Heartbeats may be late because another ResourceManager leads that does not know this worker. */
    private void watchPunctuality(long intervalMillis) {
        HeartbeatSettings settings = new HeartbeatSettings(intervalMillis, intervalMillis * LATE_HEARTBEATS, 0);
        punctuality = Optional.of(new HeartbeatReceiver(mainThread, clock, settings, late -> {
            connection.leaderMayHaveChanged();
            watchPunctuality(intervalMillis);
        }));
    }

    private void send(ResourceManagerGateway gateway, Freed freed) {
        CompletionStage<Acknowledge> answer =
                gateway.slotFreed(new SlotFreed(instance, freed.allocation(), freed.job(), freed.cause()));
        mainThread.whenComplete(answer, (acknowledged, failure) -> {
            // An answer is no sign that the worker is still registered: only heartbeats are.
            if (failure != null) {
                LOG.info(
                        "worker {}: the ResourceManager does not know that slot {} of job {} is free: {}; the next slot"
                                + " report says it",
                        worker,
                        freed.allocation(),
                        freed.job(),
                        Failures.text(failure));
                if (connection.gateway().filter(gateway::equals).isPresent()) {
                    connection.callFailed(failure);
                }
            }
        });
    }

    private void startAbandonTimer() {
        abandonTimer.cancel();
        abandonTimer = mainThread.schedule(abandonMillis, () -> {
            String addresses = masters.stream().map(RpcAddress::toString).collect(Collectors.joining(", "));
            String failure = connection.lastFailure();
            context.abandoned("no ResourceManager at " + addresses + " for " + abandonMillis + " ms"
                    + (failure.isEmpty() ? "" : "; the last attempt failed: " + failure));
        });
    }
}
