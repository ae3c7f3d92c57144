package io.berth.core.rpc.transport;

import io.berth.core.api.rpc.RpcException.Kind;
import io.berth.core.api.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs rejected calls and connections with their peers. The number of lines per period is limited, so that a peer
 * cannot fill the log.
 */
public final class RefusalLog {

    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int LINES_PER_PERIOD = 20;
    private static final long PERIOD_MILLIS = 10_000;

    private final Clock clock;
    private long periodStart;
    private int lines;
    private long dropped;

    public RefusalLog(Clock clock) {
        this.clock = clock;
        this.periodStart = clock.millis();
    }

    /**
     * Logs a connection that was closed.
     *
     * @param peer address of the peer
     */
    void connection(Object peer, String reason) {
        if (admitted()) {
            LOG.warn("closed the connection of peer {}: {}", peer, reason);
        }
    }

    /** Logs a call that was rejected. */
    void call(Object peer, String caller, String method, Kind kind, String reason) {
        if (!admitted()) {
            return;
        }
        if (kind == Kind.NOT_FOUND) {
            // This is normal while a role starts or ends.
            LOG.info("refused {} of caller '{}' at peer {}: {}: {}", method, caller, peer, kind, reason);
        } else {
            LOG.warn("refused {} of caller '{}' at peer {}: {}: {}", method, caller, peer, kind, reason);
        }
    }

    private synchronized boolean admitted() {
        long now = clock.millis();
        if (now - periodStart >= PERIOD_MILLIS) {
            if (dropped > 0) {
                LOG.warn("{} more calls or connections were refused in {} ms", dropped, now - periodStart);
            }
            periodStart = now;
            lines = 0;
            dropped = 0;
        }
        if (lines >= LINES_PER_PERIOD) {
            dropped++;
            return false;
        }
        lines++;
        return true;
    }
}
