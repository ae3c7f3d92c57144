package io.berth.worker.peer;

import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Clock;

/**
 * Judges a peer by the calls made to it: gone when another one answers in its place, unreachable after two calls in a row
 * that did not get through. Calls that fail together count once: a retry comes within milliseconds. Belongs to one main
 * thread.
 */
public final class Reachability {

    private static final int MAX_FAILURES = 2;

    private final Clock clock;
    private final Runnable onLost;
    private long apartMillis;
    private long lastMillis;
    private int failures;

    /**
     * @param onLost told when the peer is gone or unreachable
     */
    public Reachability(Clock clock, Runnable onLost) {
        this.clock = clock;
        this.onLost = onLost;
    }

    /**
     * Begins anew.
     *
     * @param heartbeatMillis failures closer than that count as one
     */
    public void start(long heartbeatMillis) {
        apartMillis = heartbeatMillis;
        failures = 0;
    }

    /** The peer was heard, or a call got through. */
    public void heard() {
        failures = 0;
    }

    /** A call to the peer failed. */
    public void failed(Throwable failure) {
        if (!(Failures.cause(failure) instanceof RpcException rpc)) {
            return;
        }
        switch (rpc.kind()) {
            case FENCED, NOT_FOUND -> onLost.run();
            case UNREACHABLE -> unreached();
            // Somebody answered, or nobody knows.
            case DEADLINE, REFUSED, FAILED -> {}
        }
    }

    private void unreached() {
        long now = clock.millis();
        if (failures > 0 && now - lastMillis < apartMillis) {
            return;
        }
        lastMillis = now;
        failures++;
        if (failures >= MAX_FAILURES) {
            failures = 0;
            onLost.run();
        }
    }
}
