package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Leader;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Checks who leads the followed roles, at each interval and when something changed in this process. */
final class Followers implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Followers.class);
    private static final long END_MILLIS = 5_000;

    private final List<Follower> followers = new CopyOnWriteArrayList<>();
    private final Semaphore changes = new Semaphore(0);
    private final LongSupplier pollMillis;
    private final Thread thread;
    private volatile boolean closed;
    /** Confined to the thread. */
    private long round;

    Followers(LongSupplier pollMillis) {
        this.pollMillis = pollMillis;
        thread = new Thread(this::run, "berth-ha-file-followers");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    AutoCloseable add(RoleFolder folder, CachedRead<RoleFolder.Content> role, Consumer<Optional<Leader>> listener) {
        Follower follower = new Follower(folder, role, listener);
        followers.add(follower);
        check();
        return () -> {
            followers.remove(follower);
            follower.end();
        };
    }

    /** Something may have changed. */
    void check() {
        changes.release();
    }

    private void run() {
        try {
            while (!closed) {
                changes.drainPermits();
                long current = ++round;
                followers.forEach(follower -> follower.check(current));
                // Changes that arrive meanwhile are seen by the same check.
                if (changes.tryAcquire(pollMillis.getAsLong(), TimeUnit.MILLISECONDS)) {
                    changes.release();
                }
            }
        } catch (InterruptedException interrupted) {
            LOG.warn("the election was interrupted: followers no longer learn who leads");
        }
    }

    @Override
    public void close() {
        closed = true;
        check();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static final class Follower {

        private final RoleFolder folder;
        private final CachedRead<RoleFolder.Content> role;
        private final Consumer<Optional<Leader>> listener;
        private Optional<Leader> lastNotified = Optional.empty();
        private boolean began;
        private boolean ended;
        private String trouble = "";

        Follower(RoleFolder folder, CachedRead<RoleFolder.Content> role, Consumer<Optional<Leader>> listener) {
            this.folder = folder;
            this.role = role;
            this.listener = listener;
        }

        synchronized void check(long round) {
            Optional<Leader> now;
            try {
                now = role.read(round).newest().flatMap(LeaderRecord::leader);
                trouble = "";
            } catch (IOException failure) {
                if (!failure.toString().equals(trouble)) {
                    trouble = failure.toString();
                    LOG.warn(
                            "Role {}: who leads cannot be read in {}; the last known leader is assumed",
                            folder.role(),
                            folder,
                            failure);
                }
                now = lastNotified;
            }
            if (ended || began && now.equals(lastNotified)) {
                return;
            }
            began = true;
            lastNotified = now;
            try {
                listener.accept(now);
            } catch (RuntimeException failure) {
                LOG.error("Role {}: a follower failed on the change to {}", folder.role(), now, failure);
            }
        }

        synchronized void end() {
            ended = true;
        }
    }
}
