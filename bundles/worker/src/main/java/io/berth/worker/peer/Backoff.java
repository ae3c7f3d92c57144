package io.berth.worker.peer;

/** Pauses that double up to a bound. Belongs to one main thread. */
public final class Backoff {

    private final long first;
    private final long most;
    private long next;

    /** Both in milliseconds. */
    public Backoff(long first, long most) {
        this.first = first;
        this.most = most;
        this.next = first;
    }

    /** The pause before the next attempt, in milliseconds. */
    public long next() {
        long pause = next;
        next = Math.min(most, next * 2);
        return pause;
    }

    public void reset() {
        next = first;
    }
}
