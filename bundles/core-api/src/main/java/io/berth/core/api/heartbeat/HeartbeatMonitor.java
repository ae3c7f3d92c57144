package io.berth.core.api.heartbeat;

import io.berth.core.api.rpc.Failures;
import io.berth.core.api.rpc.RpcException;
import io.berth.core.api.time.Clock;
import java.util.Optional;

/**
 * Decides whether one peer is alive. A peer is lost when it is silent for the timeout or when several calls in a row
 * do not reach it. It is lost at once when its endpoint no longer exists under its token. Confined to the main thread
 * of its owner.
 */
public final class HeartbeatMonitor {

    private final Clock clock;
    private long lastHeard;
    private int failures;
    private long lastFailure;
    private String failure = "";
    private boolean gone;
    private long sent;
    private long sentAt;
    /** Number of the newest heartbeat that has an outcome. */
    private long settled;

    private long answered;

    /** Begins with a peer that is alive now. */
    public HeartbeatMonitor(Clock clock) {
        this.clock = clock;
        lastHeard = clock.millis();
    }

    /** The peer called, or answered any call. */
    public void heard() {
        lastHeard = clock.millis();
        failures = 0;
        gone = false;
    }

    /** A call other than a heartbeat failed. It counts only if it did not reach the peer. */
    public void callFailed(Throwable cause, HeartbeatSettings settings) {
        if (Failures.isGone(cause) || isKind(cause, RpcException.Kind.UNREACHABLE)) {
            count(cause, settings);
        }
    }

    /** Why the peer is lost; empty while it is not. */
    public Optional<String> loss(HeartbeatSettings settings) {
        if (gone) {
            return Optional.of("gone: " + failure);
        }
        if (settings.failuresMax() > 0 && failures >= settings.failuresMax()) {
            return Optional.of("unreachable: " + failures + " calls in a row failed, the last one with: " + failure);
        }
        long silent = silentMillis();
        return silent < settings.timeoutMillis() ? Optional.empty() : Optional.of("no heartbeat for " + silent + " ms");
    }

    /** How long the peer has been silent. */
    public long silentMillis() {
        return clock.millis() - lastHeard;
    }

    /** Whether a heartbeat was sent that may still be answered. */
    boolean isPending(HeartbeatSettings settings) {
        return sent > settled && clock.millis() - sentAt < settings.pendingMillis();
    }

    /** Records that a heartbeat is sent, and returns its number. */
    long send() {
        sentAt = clock.millis();
        return ++sent;
    }

    /** A heartbeat was answered. Returns whether this is the newest answer; an older one is outdated. */
    boolean answered(long number) {
        settled = Math.max(settled, number);
        heard();
        boolean newest = number > answered;
        answered = Math.max(answered, number);
        return newest;
    }

    /** A heartbeat failed. This counts unless a later one was answered or this one only missed its deadline. */
    void failed(long number, Throwable cause, HeartbeatSettings settings) {
        settled = Math.max(settled, number);
        if (number > answered && !isKind(cause, RpcException.Kind.DEADLINE)) {
            count(cause, settings);
        }
    }

    /** Calls that fail together count once. */
    private void count(Throwable cause, HeartbeatSettings settings) {
        gone |= Failures.isGone(cause);
        failure = Failures.text(cause);
        long now = clock.millis();
        if (failures == 0 || now - lastFailure >= settings.intervalMillis() / 2) {
            failures++;
            lastFailure = now;
        }
    }

    private static boolean isKind(Throwable cause, RpcException.Kind kind) {
        return Failures.kind(cause).filter(kind::equals).isPresent();
    }
}
