package io.berth.core.resources;

import io.berth.spi.ha.LeaderElection.Leader;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Whether workers of a previous ResourceManager may still run. The election knows a leader whose process died until the
 * next one is elected. It knows none after an orderly stop. In doubt there was a previous one. Thread-safe.
 */
final class PreviousLeader {

    private static final long MAX_WAIT_MILLIS = 2_000;

    private final CountDownLatch known = new CountDownLatch(1);
    private boolean led;

    /** Receives who leads, as far as the election knows. */
    void notified(Optional<Leader> leader) {
        synchronized (this) {
            led |= leader.isPresent();
        }
        known.countDown();
    }

    /** Waits, for a limited time, until the election has reported. Call it before this process competes. */
    void await() {
        try {
            if (!known.await(MAX_WAIT_MILLIS, TimeUnit.MILLISECONDS)) {
                inDoubt();
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            inDoubt();
        }
    }

    private synchronized void inDoubt() {
        led = true;
    }

    /** This process leads from now on. Returns whether another process, or this one, led before. */
    synchronized boolean take() {
        boolean before = led;
        led = true;
        return before;
    }
}
