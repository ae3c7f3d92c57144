package io.berth.core.resources;

/** What heartbeats tell of one peer. Confined to the main thread. */
final class Pulse {

    /** Calls that fail one after the other until the peer counts as unreachable. */
    static final int FAILURES = 2;

    private long lastHeard;
    private int failures;
    private boolean outstanding;

    Pulse(long now) {
        lastHeard = now;
    }

    /** Whether a heartbeat may be sent: none is under way. */
    boolean begin() {
        if (outstanding) {
            return false;
        }
        outstanding = true;
        return true;
    }

    void answered(long now) {
        outstanding = false;
        heard(now);
    }

    /** Any call to the peer succeeded. */
    void heard(long now) {
        lastHeard = now;
        failures = 0;
    }

    /** A heartbeat failed. */
    void unanswered() {
        outstanding = false;
        failed();
    }

    /** Any call to the peer failed. */
    void failed() {
        failures++;
    }

    boolean unreachable() {
        return failures >= FAILURES;
    }

    boolean timedOut(long now, long timeoutMillis) {
        return now - lastHeard >= timeoutMillis;
    }

    long age(long now) {
        return now - lastHeard;
    }
}
