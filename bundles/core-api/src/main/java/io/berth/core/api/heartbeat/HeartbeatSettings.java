package io.berth.core.api.heartbeat;

/**
 * When a peer counts as lost. Times are in milliseconds.
 *
 * @param intervalMillis between heartbeats
 * @param timeoutMillis how long a peer may be silent before it is lost
 * @param failuresMax failed calls in a row after which a peer is lost before the timeout; below 1: only the timeout
 *     counts
 */
public record HeartbeatSettings(long intervalMillis, long timeoutMillis, int failuresMax) {

    /**
     * How long a heartbeat without an outcome delays the next one. It is a fraction of the timeout, so that one
     * heartbeat may be lost.
     */
    long pendingMillis() {
        return Math.max(intervalMillis, timeoutMillis / 3);
    }

    /** Whether this process was paused: an action that was due runs far too late. */
    public boolean isPause(long passedMillis) {
        return passedMillis > timeoutMillis / 2 && passedMillis > 2 * intervalMillis;
    }
}
