package io.berth.core.resources;

/** What heartbeats tell of one peer. Confined to the main thread. */
final class Pulse {

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

    /** @param threshold how many calls in a row fail until a peer counts as unreachable; 0: none do */
    boolean unreachable(int threshold) {
        return threshold > 0 && failures >= threshold;
    }

    int failures() {
        return failures;
    }

    boolean timedOut(long now, long timeoutMillis) {
        return now - lastHeard >= timeoutMillis;
    }

    long age(long now) {
        return now - lastHeard;
    }
}
