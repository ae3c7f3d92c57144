package io.berth.core.api.heartbeat;

/**
 * When a peer is lost. Times in milliseconds.
 *
 * @param intervalMillis between heartbeats
 * @param timeoutMillis after which a silent peer is lost
 * @param failuresMax failed calls in a row after which a peer is lost before the timeout; below 1: the timeout alone counts
 */
public record HeartbeatSettings(long intervalMillis, long timeoutMillis, int failuresMax) {

    /** How long a heartbeat without an outcome delays the next one: several fit into the timeout, so one may be lost. */
    long pendingMillis() {
        return Math.max(intervalMillis, timeoutMillis / 3);
    }

    /** Whether the own process was paused: an action that was due after an interval comes far too late. */
    boolean isPause(long passedMillis) {
        return passedMillis > timeoutMillis / 2 && passedMillis > 2 * intervalMillis;
    }
}
