package io.berth.core.scheduler.peers;

/** Delays that double from a first to a greatest one, in milliseconds. */
final class Backoff {

    private final long first;
    private final long greatest;
    private long next;

    Backoff(long first, long greatest) {
        this.first = first;
        this.greatest = greatest;
        this.next = first;
    }

    long next() {
        long delay = next;
        next = Math.min(greatest, next * 2);
        return delay;
    }

    void reset() {
        next = first;
    }
}
