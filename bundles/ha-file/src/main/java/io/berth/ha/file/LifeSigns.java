package io.berth.ha.file;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shows at each interval, for all roles that this process leads, that it lives. On a thread of its own: a role that takes
 * its time to begin or to end is no reason to take it over.
 */
final class LifeSigns implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LifeSigns.class);
    private static final long END_MILLIS = 5_000;

    private final List<Candidacy> candidacies = new CopyOnWriteArrayList<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final LongSupplier pollMillis;
    private final Thread thread;

    LifeSigns(LongSupplier pollMillis) {
        this.pollMillis = pollMillis;
        thread = new Thread(this::run, "berth-ha-file-life");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    void add(Candidacy candidacy) {
        candidacies.add(candidacy);
    }

    void remove(Candidacy candidacy) {
        candidacies.remove(candidacy);
    }

    private void run() {
        try {
            do {
                candidacies.forEach(Candidacy::showLife);
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
