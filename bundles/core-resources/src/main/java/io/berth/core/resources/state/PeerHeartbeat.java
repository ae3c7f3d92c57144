package io.berth.core.resources.state;

import java.util.OptionalLong;

/** What heartbeats tell of one peer. Confined to the main thread. */
public final class PeerHeartbeat {

    private long lastHeard;
    private int failures;
    private long sent;
    private long sentAt;
    /** The newest heartbeat with an outcome, and the newest that was answered. */
    private long settled;

    private long answered;

    public PeerHeartbeat(long now) {
        lastHeard = now;
    }

    /**
     * The number of the heartbeat that is to be sent now; empty while one is under way that may still be answered. One
     * that has no outcome for long holds up no other: it, or its answer, may be lost.
     */
    public OptionalLong begin(long now, long patienceMillis) {
        if (sent > settled && now - sentAt < patienceMillis) {
            return OptionalLong.empty();
        }
        sentAt = now;
        return OptionalLong.of(++sent);
    }

    /** Whether it is the newest answer: what an earlier one tells is out of date. */
    public boolean answered(long number, long now) {
        settled = Math.max(settled, number);
        heard(now);
        boolean newest = number > answered;
        answered = Math.max(answered, number);
        return newest;
    }

    /** Any call to the peer succeeded. */
    public void heard(long now) {
        lastHeard = now;
        failures = 0;
    }

    /** A heartbeat failed; of no account when a later one was answered. */
    public void unanswered(long number) {
        settled = Math.max(settled, number);
        if (number > answered) {
            failed();
        }
    }

    /** Any call to the peer failed. */
    public void failed() {
        failures++;
    }

    /** @param threshold how many calls in a row fail until a peer counts as unreachable; 0: none do */
    public boolean unreachable(int threshold) {
        return threshold > 0 && failures >= threshold;
    }

    public int failures() {
        return failures;
    }

    public boolean timedOut(long now, long timeoutMillis) {
        return now - lastHeard >= timeoutMillis;
    }

    public long age(long now) {
        return now - lastHeard;
    }
}
