package io.berth.worker;

/** Pauses that double up to a bound. Belongs to one main thread. */
final class Backoff {

    private final long first;
    private final long most;
    private long next;

    /** Both in milliseconds. */
    Backoff(long first, long most) {
        this.first = first;
        this.most = most;
        this.next = first;
    }

    /** The pause before the next attempt, in milliseconds. */
    long next() {
        long pause = next;
        next = Math.min(most, next * 2);
        return pause;
    }

    void reset() {
        next = first;
    }
}
