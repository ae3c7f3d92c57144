package io.berth.core.api.heartbeat;

import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends heartbeats to peers in rounds and finds lost peers. If a round runs far too late, this process was paused, and
 * the timeout of all peers restarts. Confined to a main thread.
 */
public final class HeartbeatSender {

    private static final Logger LOG = LoggerFactory.getLogger(HeartbeatSender.class);

    /** One connection to a peer. */
    public interface Peer {

        HeartbeatMonitor monitor();

        /**
         * Sends a heartbeat. The stage yields an action, which runs on the main thread if this is the newest answer.
         */
        CompletionStage<Runnable> heartbeat();

        /** Whether this connection is still the current one. */
        boolean isCurrent();

        void lost(String cause);
    }

    private final String self;
    private final MainThread mainThread;
    private final Clock clock;
    private final Supplier<HeartbeatSettings> settings;
    private long lastRound;

    /** @param self name of the sender, for the log */
    public HeartbeatSender(String self, MainThread mainThread, Clock clock, Supplier<HeartbeatSettings> settings) {
        this.self = self;
        this.mainThread = mainThread;
        this.clock = clock;
        this.settings = settings;
        restart();
    }

    /** Resets the time from which the delay of the next round is measured. */
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

    /** Sends a heartbeat to a peer that is not lost, unless one is pending. */
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
