package io.berth.core.api.heartbeat;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to peers in rounds and finds those that are lost. A round that comes far too late says that this process
 * was paused: then silence says nothing of the peers, and their time starts again. Confined to a main thread.
 */
public final class HeartbeatSender {

    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

    /** One connection to a peer. */
    public interface Peer {

        HeartbeatMonitor monitor();

        /** Sends a heartbeat. The outcome is what is to be done on the main thread if this is the newest answer. */
        CompletionStage<Runnable> heartbeat();

        /** Whether this connection is still the present one. */
        boolean isCurrent();

        void lost(String cause);
    }

    private final String self;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<HeartbeatSettings> settings;
    private long lastRound;

    /** @param self who sends, for the log */
    public HeartbeatSender(String self, MainThread mainThread, Clock clock, Supplier<HeartbeatSettings> settings) {
        this.self = self;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        restart();
    }

    /** The next round is due one interval from now. */
    public void restart() {
        lastRound = clock.millis();
    }

    /** Sends one round. */
    public void round(Collection<? extends Peer> peers) {
        long now = clock.millis();
        long passed = now - lastRound;
        lastRound = now;
        boolean paused = settings.get().isPause(passed);
        if (paused) {
            LOG.warn(
                    "{}: this process was paused for {} ms; the heartbeat timeout of its peers restarts", self, passed);
        }
        for (Peer peer : peers) {
            if (paused) {
                peer.monitor().heard();
            }
            sendUnlessPending(peer);
        }
    }

    /** Sends a heartbeat to a peer that is not lost, unless one is under way. */
    public void sendUnlessPending(Peer peer) {
        if (isAlive(peer) && !peer.monitor().isPending(settings.get())) {
            send(peer);
        }
    }

    /** Sends a heartbeat at once. */
    public void send(Peer peer) {
        HeartbeatMonitor monitor = peer.monitor();
        long number = monitor.send();
        mainThread.whenComplete(peer.heartbeat(), (answer, failure) -> {
            if (!peer.isCurrent()) {
                return;
            }
            if (failure != null) {
                LOG.debug("{}: a heartbeat failed", self, failure);
                monitor.failed(number, failure, settings.get());
                isAlive(peer);
            } else if (monitor.answered(number)) {
                answer.run();
            }
        });
    }

    private boolean isAlive(Peer peer) {
        return peer.monitor()
                .loss(settings.get())
                .map(cause -> {
                    peer.lost(cause);
                    return false;
                })
                .orElse(true);
    }
}
