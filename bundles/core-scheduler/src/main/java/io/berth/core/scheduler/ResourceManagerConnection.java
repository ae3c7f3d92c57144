package io.berth.core.scheduler;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.rpc.RpcService;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers.Cancellable;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one job registered at the ResourceManager and its requirements declared (FLIP-6, FLIP-138). Declarations are
 * absolute and counted; the newest one is sent until it is acknowledged, and again after each registration. While the
 * ResourceManager is away it goes on trying; the job keeps what it has. For the main thread of the job.
 */
final class ResourceManagerConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerConnection.class);
    private static final long REJECTED_PAUSE_MILLIS = 30_000;
    private static final int FAREWELL_ATTEMPTS = 3;
    private static final long FAREWELL_PAUSE_MILLIS = 500;
    private static final long RENOUNCE_MILLIS = 1_000;

    private final JobIdentity job;
    private final JobThread thread;
    private final Clock clock;
    private final RpcService rpc;
    private final RpcAddress address;
    private final Backoff connectBackoff = new Backoff(100, 10_000);
    private final Backoff declareBackoff = new Backoff(100, 10_000);

    private Optional<EndpointRef> registering = Optional.empty();
    private Optional<Registered> registered = Optional.empty();
    private List<GroupRequirement> required = List.of();
    private long sequence;
    private boolean declared;
    private long acknowledged;
    private String trouble = "";
    private Cancellable retry = () -> {};
    private Cancellable watch = () -> {};
    private int attempt;
    private boolean closed;
    private Runnable troubled = () -> {};

    private static final class Registered {
        private final ResourceManagerId id;
        private final ResourceManagerGateway gateway;
        private final long timeoutMillis;
        private long lastHeardMillis;

        Registered(ResourceManagerId id, ResourceManagerGateway gateway, long timeoutMillis, long now) {
            this.id = id;
            this.gateway = gateway;
            this.timeoutMillis = timeoutMillis;
            this.lastHeardMillis = now;
        }
    }

    ResourceManagerConnection(
            JobIdentity job, JobThread thread, Clock clock, RpcService rpc, RpcAddress address) {
        this.job = job;
        this.thread = thread;
        this.clock = clock;
        this.rpc = rpc;
        this.address = address;
    }

    /** @param troubledCallback called when {@link #why} names another trouble */
    void start(Runnable troubledCallback) {
        troubled = troubledCallback;
        connect();
    }

    /** Declares all that the job requires from now on; nothing is sent when it is what was declared last. */
    void declare(List<GroupRequirement> groups) {
        if (declared && groups.equals(required)) {
            return;
        }
        declared = true;
        required = groups;
        sequence++;
        declareBackoff.reset();
        registered.ifPresent(this::send);
    }

    /** A sign of life. False when it comes from a ResourceManager that the job is not registered at. */
    boolean heartbeat(ResourceManagerId resourceManager) {
        if (registered.isPresent() && registered.get().id.equals(resourceManager)) {
            registered.get().lastHeardMillis = clock.millis();
            return true;
        }
        return registering.filter(ref -> ref.token().equals(resourceManager.token())).isPresent();
    }

    boolean isCurrent(ResourceManagerId resourceManager) {
        return registered.filter(current -> current.id.equals(resourceManager)).isPresent();
    }

    /** The ResourceManager let the job go. */
    void disconnected(ResourceManagerId resourceManager, String cause) {
        if (closed) {
            registered = registered.filter(current -> !current.id.equals(resourceManager));
        } else if (isCurrent(resourceManager)) {
            reconnect(cause);
        }
    }

    /** Number of the last declaration. */
    long sequence() {
        return sequence;
    }

    /** Why nothing is known yet of the last declaration: there is no ResourceManager, or it has not said anything. */
    Reason why() {
        if (registered.isPresent()) {
            return Reason.of(
                    ReasonCode.NOT_ATTEMPTED,
                    "not attempted yet: "
                            + (acknowledged == sequence
                                    ? "it is declared, and no decision about it is known"
                                    : "it is being declared to the ResourceManager"));
        }
        return trouble.isEmpty()
                ? Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet: it registers at the ResourceManager")
                : Reason.of(ReasonCode.NO_RESOURCE_MANAGER, trouble);
    }

    private void connect() {
        if (closed) {
            return;
        }
        int mine = ++attempt;
        thread.whenComplete(rpc.resolve(address, EndpointName.RESOURCE_MANAGER), (endpoint, failure) -> {
            if (mine != attempt || closed) {
                return;
            }
            if (failure != null) {
                retryLater("the ResourceManager at " + address + " does not answer: " + Failures.text(failure));
            } else {
                register(endpoint, mine);
            }
        });
    }

    private void register(EndpointRef endpoint, int mine) {
        ResourceManagerGateway gateway = rpc.resourceManager(endpoint);
        registering = Optional.of(endpoint);
        JobGraph graph = job.graph();
        thread.whenComplete(
                gateway.registerJobMaster(new JobMasterRegistration(
                        graph.id(), job.jobMaster(), job.endpoint(), graph.submissionIndex())),
                (response, failure) -> {
                    if (mine != attempt || closed) {
                        return;
                    }
                    registering = Optional.empty();
                    if (failure != null) {
                        retryLater("registration at the ResourceManager failed: " + Failures.text(failure));
                    } else if (response instanceof RegistrationResponse.Rejected rejected) {
                        LOG.error(
                                "job {}: the ResourceManager {} refuses it: {}", job.id(), endpoint, rejected.reason());
                        trouble("the ResourceManager refuses the job: " + rejected.reason());
                        schedule(REJECTED_PAUSE_MILLIS);
                    } else if (response instanceof RegistrationResponse.Accepted accepted) {
                        registered(endpoint, gateway, accepted);
                    }
                });
    }

    private void registered(
            EndpointRef endpoint, ResourceManagerGateway gateway, RegistrationResponse.Accepted accepted) {
        LOG.info("job {}: registered at the ResourceManager {}", job.id(), endpoint);
        connectBackoff.reset();
        declareBackoff.reset();
        Registered current = new Registered(
                new ResourceManagerId(endpoint.token()),
                gateway,
                accepted.heartbeatTimeoutMillis(),
                clock.millis());
        registered = Optional.of(current);
        watch(current);
        if (declared) {
            sequence++;
            send(current);
        }
    }

    private void watch(Registered current) {
        watch.cancel();
        long left = current.lastHeardMillis + current.timeoutMillis - clock.millis();
        watch = thread.schedule(Math.max(1, left + 1), () -> {
            long silent = clock.millis() - current.lastHeardMillis;
            if (silent > current.timeoutMillis) {
                reconnect("no heartbeat for " + silent + " ms");
            } else {
                watch(current);
            }
        });
    }

    private void send(Registered current) {
        retry.cancel();
        long mine = sequence;
        thread.whenComplete(current.gateway.declareRequirements(declaration()), (done, failure) -> {
            boolean stale = closed || mine != sequence || registered.filter(now -> now == current).isEmpty();
            if (failure == null && !stale) {
                acknowledged = mine;
            }
            if (failure == null || stale) {
                return;
            }
            if (Failures.isGone(failure)) {
                reconnect(Failures.text(failure));
                return;
            }
            LOG.warn("job {}: declaration {} failed: {}", job.id(), mine, Failures.text(failure));
            retry.cancel();
            retry = thread.schedule(declareBackoff.next(), () -> send(current));
        });
    }

    private RequirementsDeclaration declaration() {
        JobGraph graph = job.graph();
        List<UnitRequirement> units =
                required.isEmpty() ? List.of() : List.of(new UnitRequirement(Requirements.UNIT, required));
        return new RequirementsDeclaration(
                graph.id(),
                job.jobMaster(),
                sequence,
                graph.submissionIndex(),
                graph.pool(),
                graph.queue(),
                graph.priority(),
                graph.labels(),
                units);
    }

    private void reconnect(String cause) {
        LOG.warn("job {}: lost the ResourceManager, registering again: {}", job.id(), cause);
        registered = Optional.empty();
        acknowledged = 0;
        trouble("the ResourceManager is away: " + cause);
        watch.cancel();
        retry.cancel();
        connect();
    }

    private void retryLater(String cause) {
        if (!cause.equals(trouble)) {
            LOG.warn("job {}: {}", job.id(), cause);
        }
        trouble(cause);
        registering = Optional.empty();
        schedule(connectBackoff.next());
    }

    private void trouble(String what) {
        trouble = what;
        troubled.run();
    }

    private void schedule(long delayMillis) {
        retry.cancel();
        retry = thread.schedule(delayMillis, this::connect);
    }

    /**
     * Requires nothing any more. Completes when the ResourceManager knows, so that no slot that is freed from then on is
     * given to the job again; or after a bounded time without an answer.
     */
    CompletionStage<Void> renounce() {
        closed = true;
        retry.cancel();
        watch.cancel();
        CompletableFuture<Void> known = new CompletableFuture<>();
        if (registered.isEmpty()) {
            known.complete(null);
            return known;
        }
        required = List.of();
        sequence++;
        Cancellable late = thread.schedule(RENOUNCE_MILLIS, () -> known.complete(null));
        thread.whenComplete(registered.get().gateway.declareRequirements(declaration()), (done, failure) -> {
            late.cancel();
            known.complete(null);
        });
        return known;
    }

    /** Leaves after {@link #renounce}. Completes when the ResourceManager knows, or after a few attempts. */
    CompletionStage<Void> leave(String cause) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        Optional<Registered> current = registered;
        registered = Optional.empty();
        current.ifPresentOrElse(
                known -> leave(known, cause, FAREWELL_ATTEMPTS, left), () -> left.complete(null));
        return left;
    }

    private void leave(Registered current, String cause, int attempts, CompletableFuture<Void> left) {
        thread.whenComplete(
                current.gateway.disconnectJobMaster(job.id(), job.jobMaster(), cause), (done, failure) -> {
                    if (failure != null && Failures.isTransient(failure) && attempts > 1) {
                        thread.schedule(FAREWELL_PAUSE_MILLIS, () -> leave(current, cause, attempts - 1, left));
                    } else {
                        left.complete(null);
                    }
                });
    }
}
