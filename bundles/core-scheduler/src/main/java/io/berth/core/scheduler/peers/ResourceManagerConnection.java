package io.berth.core.scheduler.peers;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.ResourceManagerGateway;
import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.gateway.ResourceManagerGateway.JobMasterRegistration;
import io.berth.core.api.gateway.RpcService;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RoleDirectory;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.Timers.Cancellable;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobThread;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one job registered at the ResourceManager that leads, and its requirements declared (FLIP-6, FLIP-138). It goes
 * to another leader as soon as it hears of one, never back to an older one. While there is none it goes on trying; the
 * job keeps what it has. For the main thread of the job.
 */
public final class ResourceManagerConnection {

    private static final Logger LOG = LoggerFactory.getLogger(ResourceManagerConnection.class);
    private static final int DISCONNECT_ATTEMPTS = 3;
    private static final long DISCONNECT_PAUSE_MILLIS = 500;

    private final JobIdentity job;
    private final JobThread thread;
    private final Clock clock;
    private final RpcService rpc;
    private final RoleLookup lookup;
    private final SchedulerConfiguration.Registration settings;
    private final Backoff attemptTimes;
    private final Declarations declarations;

    private Optional<EndpointRef> registering = Optional.empty();
    private Optional<Registered> registered = Optional.empty();
    private Optional<EndpointRef> newest = Optional.empty();
    private String trouble = "";
    private Cancellable retry = () -> {};
    private Cancellable watch = () -> {};
    private Cancellable check = () -> {};
    private int attempt;
    private int checks;
    private boolean unanswered;
    private boolean closed;
    private Optional<Listener> listener = Optional.empty();

    /** The owner. */
    public interface Listener {

        /** {@link #why} names another trouble. */
        void troubled();

        /** An attempt to register begins: what a ResourceManager said before holds no more. */
        void begins();

        /** Another ResourceManager leads, as {@link #leader} says. */
        void leads();

        /** The ResourceManager that was registered at uses this matching rule. */
        void rule(MatchingRule rule);

        /** The workers on which the job has slots. */
        List<WorkerId> workers();
    }

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

    public ResourceManagerConnection(
            JobIdentity job,
            JobThread thread,
            Clock clock,
            RpcService rpc,
            RoleDirectory directory,
            SchedulerConfiguration.Registration settings) {
        this.job = job;
        this.thread = thread;
        this.clock = clock;
        this.rpc = rpc;
        this.settings = settings;
        this.lookup = new RoleLookup(thread, rpc, directory, EndpointName.RESOURCE_MANAGER);
        this.attemptTimes = new Backoff(settings.timeoutInitialMillis(), settings.timeoutMaxMillis());
        this.declarations = new Declarations(job, thread, settings.declareRetryMaxMillis());
    }

    public void start(Listener owner) {
        listener = Optional.of(owner);
        lookup.follow(this::leaderMayHaveChanged);
        connect();
    }

    /** Declares all that the job requires from now on; nothing is sent when it is what was declared last. */
    public void declare(List<GroupRequirement> groups) {
        declarations.declare(groups);
    }

    /** A sign of life. False when it comes from a ResourceManager that the job is not registered at. */
    public boolean heartbeat(ResourceManagerId resourceManager) {
        if (isCurrent(resourceManager)) {
            registered.orElseThrow().lastHeardMillis = clock.millis();
            return true;
        }
        return isRegistering(resourceManager);
    }

    private boolean isRegistering(ResourceManagerId resourceManager) {
        return registering
                .filter(ref -> ref.token().equals(resourceManager.token()))
                .isPresent();
    }

    /** Whether it is the one that the job is registered at, or will be when its answer is here. */
    public boolean isConnected(ResourceManagerId resourceManager) {
        return isCurrent(resourceManager) || registered.isEmpty() && isRegistering(resourceManager);
    }

    public boolean isCurrent(ResourceManagerId resourceManager) {
        return registered.filter(current -> current.id.equals(resourceManager)).isPresent();
    }

    /** The ResourceManager let the job go. */
    public void disconnected(ResourceManagerId resourceManager, String cause) {
        if (closed) {
            registered = registered.filter(current -> !current.id.equals(resourceManager));
        } else if (isCurrent(resourceManager)) {
            reconnect(cause);
        }
    }

    /** The newest ResourceManager that was found, registered there or not. */
    public Optional<EndpointRef> leader() {
        return newest;
    }

    /** Number of the last declaration. */
    public long sequence() {
        return declarations.sequence();
    }

    /** Why nothing is known yet of the last declaration: there is no ResourceManager, or it has not said anything. */
    public Reason why() {
        if (registered.isPresent()) {
            return Reason.of(
                    ReasonCode.NOT_ATTEMPTED,
                    "not attempted yet: "
                            + (declarations.isAcknowledged()
                                    ? "it is declared, and no decision about it is known"
                                    : "it is being declared to the ResourceManager"));
        }
        return trouble.isEmpty()
                ? Reason.of(ReasonCode.NOT_ATTEMPTED, "not attempted yet: it registers at the ResourceManager")
                : Reason.of(ReasonCode.NO_RESOURCE_MANAGER, trouble);
    }

    private void leaderMayHaveChanged() {
        if (closed) {
            return;
        }
        if (registered.isEmpty()) {
            attemptTimes.reset();
            connect();
        } else {
            compareLeader(settings.timeoutInitialMillis());
        }
    }

    /** Asks until it is known who leads: one that was deposed may go on sending heartbeats. */
    private void compareLeader(long pauseMillis) {
        check.cancel();
        int mine = ++checks;
        check = thread.schedule(pauseMillis, () -> {
            if (mine == checks) {
                compareLeader(Math.min(2 * pauseMillis, settings.timeoutMaxMillis()));
            }
        });
        thread.whenComplete(lookup.resolve(), (endpoint, failure) -> {
            if (mine != checks || closed || registered.isEmpty() || failure != null) {
                return;
            }
            endCheck();
            if (endpoint.token().compareTo(registered.get().id.token()) > 0) {
                reconnect("another one leads, " + endpoint);
            }
        });
    }

    private void endCheck() {
        checks++;
        check.cancel();
    }

    private void connect() {
        if (closed) {
            return;
        }
        int mine = ++attempt;
        long limitMillis = attemptTimes.next();
        unanswered = true;
        retryIn(limitMillis, () -> {
            if (unanswered) {
                trouble(lookup.describe() + " has not answered a registration within " + limitMillis + " ms");
            }
            connect();
        });
        thread.whenComplete(lookup.resolve(), (endpoint, failure) -> {
            if (mine != attempt || closed) {
                return;
            }
            if (failure != null) {
                failed(lookup.describe() + " does not answer: " + Failures.text(failure), failure);
            } else if (newest.filter(known -> endpoint.token().compareTo(known.token()) < 0)
                    .isPresent()) {
                // The limit of the attempt is the pause before the next.
                unanswered = false;
                trouble("a ResourceManager answers that was deposed: " + endpoint);
            } else {
                register(endpoint, mine);
            }
        });
    }

    private void register(EndpointRef endpoint, int mine) {
        ResourceManagerGateway gateway = rpc.resourceManager(endpoint);
        registering = Optional.of(endpoint);
        boolean another = newest.filter(endpoint::equals).isEmpty();
        newest = Optional.of(endpoint);
        if (another) {
            listener.ifPresent(Listener::leads);
        }
        listener.ifPresent(Listener::begins);
        JobGraph graph = job.graph();
        thread.whenComplete(
                gateway.registerJobMaster(new JobMasterRegistration(
                        graph.id(),
                        job.jobMaster(),
                        job.endpoint(),
                        graph.submissionIndex(),
                        listener.map(Listener::workers).orElse(List.of()))),
                (response, failure) -> {
                    if (mine != attempt || closed) {
                        return;
                    }
                    registering = Optional.empty();
                    if (failure != null) {
                        failed("registration at the ResourceManager failed: " + Failures.text(failure), failure);
                    } else if (response instanceof RegistrationResponse.Rejected rejected) {
                        LOG.error(
                                "job {}: the ResourceManager {} refuses it: {}", job.id(), endpoint, rejected.reason());
                        trouble("the ResourceManager refuses the job: " + rejected.reason());
                        again(settings.refusedPauseMillis());
                    } else if (response instanceof RegistrationResponse.Accepted accepted) {
                        registered(endpoint, gateway, accepted);
                    }
                });
    }

    /**
     * Where nobody serves the role yet, or somebody else since a moment ago, the next attempt comes when this one's time
     * is over. Other failures pause.
     */
    private void failed(String what, Throwable failure) {
        if (!what.equals(trouble)) {
            LOG.warn("job {}: {}", job.id(), what);
        }
        trouble(what);
        unanswered = false;
        if (!Failures.isGone(failure)) {
            again(settings.errorPauseMillis());
        }
    }

    private void again(long pauseMillis) {
        attempt++;
        attemptTimes.reset();
        retryIn(pauseMillis, this::connect);
    }

    private void retryIn(long delayMillis, Runnable action) {
        retry.cancel();
        retry = thread.schedule(delayMillis, action);
    }

    private void trouble(String what) {
        trouble = what;
        listener.ifPresent(Listener::troubled);
    }

    private void registered(
            EndpointRef endpoint, ResourceManagerGateway gateway, RegistrationResponse.Accepted accepted) {
        LOG.info("job {}: registered at the ResourceManager {}", job.id(), endpoint);
        retry.cancel();
        attemptTimes.reset();
        trouble = "";
        Registered current = new Registered(
                new ResourceManagerId(endpoint.token()), gateway, accepted.heartbeatTimeoutMillis(), clock.millis());
        registered = Optional.of(current);
        watch(current);
        listener.ifPresent(owner -> owner.rule(accepted.matchingRule()));
        declarations.connected(gateway, cause -> {
            if (registered.filter(now -> now == current).isPresent()) {
                reconnect(cause);
            }
        });
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

    private void reconnect(String cause) {
        LOG.warn("job {}: lost the ResourceManager, registering again: {}", job.id(), cause);
        registered = Optional.empty();
        declarations.disconnected();
        trouble("the ResourceManager is away: " + cause);
        watch.cancel();
        endCheck();
        attemptTimes.reset();
        connect();
    }

    /**
     * Requires nothing any more. Completes when the ResourceManager knows, so that no slot that is freed from then on is
     * given to the job again; or after a bounded time without an answer.
     */
    public CompletionStage<Void> declareNone() {
        close();
        return declarations.declareNone();
    }

    /** Connects no more; what is registered stays so until {@link #leave}. */
    public void close() {
        closed = true;
        lookup.close();
        retry.cancel();
        watch.cancel();
        endCheck();
    }

    /** Leaves after {@link #declareNone}. Completes when the ResourceManager knows, or after a few attempts. */
    public CompletionStage<Void> leave(String cause) {
        CompletableFuture<Void> left = new CompletableFuture<>();
        Optional<Registered> current = registered;
        registered = Optional.empty();
        current.ifPresentOrElse(known -> leave(known, cause, DISCONNECT_ATTEMPTS, left), () -> left.complete(null));
        return left;
    }

    private void leave(Registered current, String cause, int attempts, CompletableFuture<Void> left) {
        thread.whenComplete(current.gateway.disconnectJobMaster(job.id(), job.jobMaster(), cause), (done, failure) -> {
            if (failure != null && Failures.isTransient(failure) && attempts > 1) {
                thread.schedule(DISCONNECT_PAUSE_MILLIS, () -> leave(current, cause, attempts - 1, left));
            } else {
                left.complete(null);
            }
        });
    }
}
