package io.berth.core.api.registration;

import io.berth.core.api.FencingToken;
import io.berth.core.api.gateway.RegistrationResponse;
import io.berth.core.api.gateway.RegistrationResponse.Accepted;
import io.berth.core.api.gateway.RegistrationResponse.Rejected;
import io.berth.core.api.heartbeat.HeartbeatReceiver;
import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Keeps one component registered at the leader of a role (FLIP-6). An attempt finds the leader and registers there;
 * attempts repeat until one is accepted or the component closes the connection. When the leader is lost, or a newer
 * one is found, the registration ends and the next attempt starts. An answer to an earlier attempt has no effect. The
 * connection never returns to an older leader. Confined to the main thread of the component.
 *
 * @param <G> gateway to the leader
 */
public final class RegisteredConnection<G> {

    private static final Logger LOG = LoggerFactory.getLogger(RegisteredConnection.class);
    private static final int FAILURES_MAX = 2;
    private static final long PAUSE_INITIAL_MILLIS = 100;
    private static final long PAUSE_MAX_MILLIS = 2_000;

    /** The component that registers. Each method may close the connection. */
    public interface Owner<G> {

        /** Finds the leader. The stage must complete; {@link #objection} says which answers to skip. */
        CompletionStage<EndpointRef> find();

        G gateway(EndpointRef leader);

        /** A newer leader was found. An attempt to register there follows. */
        default void leaderFound(EndpointRef leader, G gateway) {}

        CompletionStage<RegistrationResponse> register(G gateway);

        void registered(G gateway, Accepted answer);

        /** The leader rejected the component. The connection starts no further attempt by itself. */
        void rejected(EndpointRef leader, String reason);

        /** An attempt failed. Another one follows. */
        void failed(String cause);

        /** The registration has ended. Another attempt follows. */
        void lost(EndpointRef leader, String cause);
    }

    private record Leader<G>(EndpointRef endpoint, G gateway) {}

    private final String self;
    private final RegistrationSettings settings;
    private final MainThread mainThread;
    private final Clock clock;
    private final Owner<G> owner;
    private final Backoff timeouts;
    private final Backoff pauses = new Backoff(PAUSE_INITIAL_MILLIS, PAUSE_MAX_MILLIS);

    /** The newest leader that was found, whether registered there or not. */
    private Optional<Leader<G>> newest = Optional.empty();
    /** Whether an attempt to register there has begun and may still be accepted. */
    private boolean registering;

    /** Present while the component is registered, which is then at the newest leader. */
    private Optional<HeartbeatReceiver> registered = Optional.empty();

    private Timers.Cancellable retry = () -> {};
    private Timers.Cancellable check = () -> {};
    private long attempt;
    private long checks;
    private String lastFailure = "";
    /** Whether the leader was heard since it accepted the registration. */
    private boolean heard;

    private boolean closed;

    /** @param self the component, for the log */
    public RegisteredConnection(
            String self, RegistrationSettings settings, MainThread mainThread, Clock clock, Owner<G> owner) {
        this.self = self;
        this.settings = settings;
        this.mainThread = mainThread;
        this.clock = clock;
        this.owner = owner;
        this.timeouts = new Backoff(settings.timeoutInitialMillis(), settings.timeoutMaxMillis());
    }

    /** Starts an attempt now: finds the leader and registers there. */
    public void connect() {
        if (closed) {
            return;
        }
        long current = begin();
        mainThread.whenComplete(owner.find(), (leader, failure) -> {
            if (current != attempt) {
                return;
            }
            Optional<String> objection = failure == null ? objection(leader) : Optional.empty();
            if (failure != null) {
                failed(failure);
            } else if (objection.isPresent()) {
                failed(new RpcException(RpcException.Kind.FENCED, leader.address() + ": " + objection.get()));
            } else {
                register(current, leader);
            }
        });
    }

    /**
     * Another component reports this leader. If it is newer than all known ones, the connection registers there at
     * once.
     */
    public void connect(EndpointRef leader) {
        mainThread.assertCurrent();
        if (!closed && isNewer(leader)) {
            if (registered.isPresent()) {
                end("a newer leader was found: " + leader);
            }
            if (!closed) {
                timeouts.reset();
                register(begin(), leader);
            }
        }
    }

    /**
     * The leader may have changed. An unregistered component starts an attempt now; a registered one searches until it
     * finds the current leader.
     */
    public void leaderMayHaveChanged() {
        mainThread.assertCurrent();
        if (registered.isPresent()) {
            checkLeader(new Backoff(settings.timeoutInitialMillis(), settings.timeoutMaxMillis()));
        } else {
            timeouts.reset();
            connect();
        }
    }

    private void checkLeader(Backoff delays) {
        check.cancel();
        long current = ++checks;
        mainThread.whenComplete(owner.find(), (leader, failure) -> {
            if (current != checks || registered.isEmpty()) {
                return;
            }
            if (failure == null) {
                connect(leader);
            } else {
                check = mainThread.schedule(delays.next(), () -> checkLeader(delays));
            }
        });
    }

    /** Why this endpoint is not the leader; empty when it may be. */
    public Optional<String> objection(EndpointRef endpoint) {
        return newest.map(known -> known.endpoint().token())
                .filter(known -> endpoint.token().compareTo(known) < 0)
                .map(known -> endpoint.token() + " is older than " + known + ", which led before");
    }

    private boolean isNewer(EndpointRef endpoint) {
        return newest.filter(
                        known -> endpoint.token().compareTo(known.endpoint().token()) <= 0)
                .isEmpty();
    }

    /** Starts another attempt: answers to earlier ones have no effect. */
    private long begin() {
        retry.cancel();
        return ++attempt;
    }

    private void register(long current, EndpointRef leader) {
        if (newest.filter(known -> known.endpoint().equals(leader)).isEmpty()) {
            G gateway = owner.gateway(leader);
            newest = Optional.of(new Leader<>(leader, gateway));
            owner.leaderFound(leader, gateway);
        }
        if (current != attempt) {
            return;
        }
        registering = true;
        G gateway = newest.orElseThrow().gateway();
        CompletionStage<RegistrationResponse> answer =
                mainThread.within(timeouts.next(), "registration", owner.register(gateway));
        mainThread.whenComplete(answer, (response, failure) -> {
            if (current != attempt) {
                return;
            }
            if (failure != null) {
                failed(failure);
            } else if (response instanceof Rejected rejected) {
                registering = false;
                owner.rejected(leader, rejected.reason());
            } else if (response instanceof Accepted accepted) {
                accepted(leader, gateway, accepted);
            }
        });
    }

    private void accepted(EndpointRef leader, G gateway, Accepted answer) {
        registering = false;
        lastFailure = "";
        timeouts.reset();
        heard = false;
        HeartbeatSettings heartbeat =
                new HeartbeatSettings(answer.heartbeatIntervalMillis(), answer.heartbeatTimeoutMillis(), FAILURES_MAX);
        registered = Optional.of(new HeartbeatReceiver(mainThread, clock, heartbeat, this::lost));
        LOG.info("{}: registered at {}", self, leader);
        owner.registered(gateway, answer);
    }

    private void failed(Throwable failure) {
        registering &= Failures.kind(failure)
                .filter(RpcException.Kind.DEADLINE::equals)
                .isPresent();
        long pause = pauseAfter(failure);
        String cause = Failures.text(failure);
        // Logged at INFO only when the cause changes, because this may continue for minutes.
        LOG.atLevel(cause.equals(lastFailure) ? Level.DEBUG : Level.INFO)
                .log("{}: not registered: {}; next attempt in {} ms", self, cause, pause);
        lastFailure = cause;
        connectIn(pause);
        owner.failed(cause);
    }

    private long pauseAfter(Throwable failure) {
        RpcException.Kind kind = Failures.kind(failure).orElse(RpcException.Kind.FAILED);
        if (kind == RpcException.Kind.DEADLINE) {
            // The attempt has already waited, and the next one waits longer.
            return 0;
        }
        timeouts.reset();
        return switch (kind) {
            case FAILED -> settings.errorPauseMillis();
            case REFUSED -> settings.refusedPauseMillis();
            default -> pauses.next();
        };
    }

    /** Starts the next attempt after a pause. */
    public void connectIn(long millis) {
        if (closed) {
            return;
        }
        begin();
        retry = mainThread.schedule(millis, this::connect);
    }

    /**
     * Ends the registration, if there is one, and starts the next attempt. If the leader was not heard since it
     * accepted, a pause comes first, because the next registration may end in the same way.
     */
    public void lost(String cause) {
        if (registered.isPresent()) {
            end(cause);
            if (heard) {
                connect();
            } else {
                connectIn(pauses.next());
            }
        }
    }

    private void end(String cause) {
        EndpointRef leader = newest.orElseThrow().endpoint();
        stop();
        timeouts.reset();
        owner.lost(leader, cause);
    }

    private void stop() {
        attempt++;
        retry.cancel();
        checks++;
        check.cancel();
        registering = false;
        registered.ifPresent(HeartbeatReceiver::stop);
        registered = Optional.empty();
    }

    /** The leader called, or answered a call. */
    public void heard() {
        heard = true;
        pauses.reset();
        registered.ifPresent(HeartbeatReceiver::heard);
    }

    /** A call to the leader failed. */
    public void callFailed(Throwable failure) {
        registered.ifPresent(heartbeats -> heartbeats.callFailed(failure));
    }

    /** The newest leader that was found, whether registered there or not. */
    public Optional<EndpointRef> leader() {
        return newest.map(Leader::endpoint);
    }

    /** The gateway while registered. */
    public Optional<G> gateway() {
        return registered.flatMap(heartbeats -> newest).map(Leader::gateway);
    }

    public boolean isRegisteredAt(FencingToken leader) {
        return registered.isPresent() && isNewest(leader);
    }

    /**
     * Whether calls of that leader count: the component is registered there, or has requested it. A leader may call
     * before its answer to the registration arrives.
     */
    public boolean isConnectedTo(FencingToken leader) {
        return (registering || registered.isPresent()) && isNewest(leader);
    }

    private boolean isNewest(FencingToken leader) {
        return newest.filter(known -> known.endpoint().token().equals(leader)).isPresent();
    }

    /** The last failure since the last success; empty when there was none. */
    public String lastFailure() {
        return lastFailure;
    }

    /** Makes no further attempt and forgets the registration. */
    public void close() {
        closed = true;
        stop();
    }
}
