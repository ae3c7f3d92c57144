package io.berth.ha.file;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the lease at each interval for all roles that this process leads. It has its own thread, because a role that
 * is slow to start or stop is not a reason to take it over.
 */
final class LeaseRenewal implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaseRenewal.class);
    private static final long END_MILLIS = 5_000;

    private final List<LeaderElector> electors = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongSupplier pollMillis;
    private final Thread thread;

    LeaseRenewal(LongSupplier pollMillis) {
        this.pollMillis = pollMillis;
        thread = new Thread(this::run, "berth-ha-file-lease");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void add(LeaderElector elector) {
        electors.add(elector);
    }

    void remove(LeaderElector elector) {
        electors.remove(elector);
    }

    private void run() {
        try {
            do {
                electors.forEach(LeaderElector::renewLease);
            } while (!closing.await(pollMillis.getAsLong(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            LOG.warn("the election was interrupted: standbys will take over what this process leads");
        }
    }

    @Override
    public void close() {
        closing.countDown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
