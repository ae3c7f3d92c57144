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
 * Keeps one component registered at the leader of a role (FLIP-6). An attempt finds the leader and registers; attempts are
 * repeated until one is accepted or the component closes the connection. A leader that is lost, or followed by a newer one,
 * is left, and the next attempt starts; an answer to an earlier attempt has no effect. The connection never goes back to an
 * older leader. Confined to the main thread of the component.
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

        /** Finds the leader. Must complete; {@link #objection} says which answers to skip. */
        CompletionStage<EndpointRef> find();

        G gateway(EndpointRef leader);

        /** This is the newest leader now. An attempt to register there follows. */
        default void leads(EndpointRef leader, G gateway) {}

        CompletionStage<RegistrationResponse> register(G gateway);

        void registered(G gateway, Accepted answer);

        /** The leader rejects the component. No further attempt follows by itself. */
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

    /** The newest leader that was found, registered there or not. */
    private Optional<Leader<G>> newest = Optional.empty();
    /** An attempt to register there has begun, and may still be accepted. */
    private boolean registering;

    /** Present while the component is registered; then the newest leader is where. */
    private Optional<HeartbeatReceiver> registered = Optional.empty();

    private Timers.Cancellable retry = () -> {};
    private Timers.Cancellable check = () -> {};
    private long attempt;
    private long checks;
    private String lastFailure = "";
    /** The leader was heard since it accepted the registration. */
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

    /** Another component says that this one leads. The connection goes there at once if it is newer than all before. */
    public void connect(EndpointRef leader) {
        mainThread.assertCurrent();
        if (!closed && isNewer(leader)) {
            if (registered.isPresent()) {
                end("a newer one leads, " + leader);
            }
            if (!closed) {
                timeouts.reset();
                register(begin(), leader);
            }
        }
    }

    /** The leader may have changed: an attempt starts now, and a registered component asks until it knows the leader. */
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

    /** Why this endpoint does not lead; empty when it may. */
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

    /** Starts another attempt: answers to those before have no effect. */
    private long begin() {
        retry.cancel();
        return ++attempt;
    }

    private void register(long current, EndpointRef leader) {
        if (newest.filter(known -> known.endpoint().equals(leader)).isEmpty()) {
            G gateway = owner.gateway(leader);
            newest = Optional.of(new Leader<>(leader, gateway));
            owner.leads(leader, gateway);
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
        // Once for each new cause: this may continue for minutes.
        LOG.atLevel(cause.equals(lastFailure) ? Level.DEBUG : Level.INFO)
                .log("{}: not registered: {}; next attempt in {} ms", self, cause, pause);
        lastFailure = cause;
        connectIn(pause);
        owner.failed(cause);
    }

    private long pauseAfter(Throwable failure) {
        RpcException.Kind kind = Failures.kind(failure).orElse(RpcException.Kind.FAILED);
        if (kind == RpcException.Kind.DEADLINE) {
            // The attempt has taken its time, and the next one gets more.
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
     * Ends the registration, if there is one, and starts the next attempt: at once, unless nothing was heard of the leader
     * since it accepted, as the next registration may end in the same way.
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

    /** The newest leader that was found, registered there or not. */
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
     * Whether calls of that leader count: the component is registered there, or has asked to be. A leader may call before
     * its answer to the registration arrives.
     */
    public boolean isConnectedTo(FencingToken leader) {
        return (registering || registered.isPresent()) && isNewest(leader);
    }

    private boolean isNewest(FencingToken leader) {
        return newest.filter(known -> known.endpoint().token().equals(leader)).isPresent();
    }

    /** The last failure since the last success; empty: none. */
    public String lastFailure() {
        return lastFailure;
    }

    /** Makes no further attempt and forgets the registration. */
    public void close() {
        closed = true;
        stop();
    }
}
