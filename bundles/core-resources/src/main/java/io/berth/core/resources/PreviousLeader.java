package io.berth.core.resources;

import io.berth.spi.ha.LeaderElection.Leader;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Whether a ResourceManager led before whose workers may still run, as the election tells: it knows a leader whose
 * process died until the next one is elected, and none after one that ended in order. In doubt there was one. Any thread.
 */
final class PreviousLeader {

    private static final long MAX_WAIT_MILLIS = 2_000;

    private final CountDownLatch known = new CountDownLatch(1);
    private boolean led;

    /** What the election knows of the leader. */
    void notified(Optional<Leader> leader) {
        synchronized (this) {
            led |= leader.isPresent();
        }
        known.countDown();
    }

    /** Waits until the election has told what it knows; bounded. To be done before this process competes itself. */
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

    /** This process leads: whether another one did before, or it did so itself. */
    synchronized boolean take() {
        boolean before = led;
        led = true;
        return before;
    }
}
