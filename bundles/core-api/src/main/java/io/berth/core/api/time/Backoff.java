package io.berth.core.api.time;

/** Exponential back-off: delays in milliseconds that grow up to a maximum. Confined to one thread. */
public final class Backoff {

    private final long initialMillis;
    private final long maxMillis;
    private final double multiplier;
    private double nextMillis;

    /** Doubles from one delay to the next. */
    public Backoff(long initialMillis, long maxMillis) {
        this(initialMillis, maxMillis, 2);
    }

    public Backoff(long initialMillis, long maxMillis, double multiplier) {
        this.initialMillis = initialMillis;
        this.maxMillis = maxMillis;
        this.multiplier = multiplier;
        this.nextMillis = initialMillis;
    }

    /** The delay before the next attempt. */
    public long next() {
        long delay = (long) nextMillis;
        nextMillis = Math.min(maxMillis, nextMillis * multiplier);
        return delay;
    }

    /** The attempt succeeded: the next delay is the initial one. */
    public void reset() {
        nextMillis = initialMillis;
    }

    /**
     * The delay after a number of failures in a row, at least 1, for owners that count failures themselves. It doubles
     * with each failure.
     */
    public static long millisAfter(int failures, long initialMillis, long maxMillis) {
        return (long) Math.min(maxMillis, Math.scalb((double) initialMillis, failures - 1));
    }
}
