package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection.Contender;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One contender for a role, on a thread of its own: waits for the lock, or until its holder has shown no sign of life
 * for the lease, leads while it has it, and looks at each interval whether it still does.
 */
final class Candidacy implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Candidacy.class);
    private static final long FAILED_GRANT_MILLIS = 1_000;
    private static final long END_MILLIS = 15_000;

    private final RoleFolder folder;
    private final KeptLook<RoleFolder.Content> look;
    private final String address;
    private final Contender contender;
    private final LongSupplier pollMillis;
    private final LongSupplier leaseMillis;
    private final LongSupplier firstEpoch;
    private final Runnable changed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final Silence silence = new Silence();
    private volatile Optional<RoleLock> held = Optional.empty();
    private volatile boolean deposed;
    private String trouble = "";
    private boolean standsBy;
    private boolean grantFailed;

    /**
     * @param look what is written in {@code folder}, for those that look at each interval
     * @param firstEpoch the epoch of a role that has no record yet
     * @param changed run when what followers know may have changed
     */
    Candidacy(
            RoleFolder folder,
            KeptLook<RoleFolder.Content> look,
            String address,
            Contender contender,
            LongSupplier pollMillis,
            LongSupplier leaseMillis,
            LongSupplier firstEpoch,
            Runnable changed) {
        this.folder = folder;
        this.look = look;
        this.address = address;
        this.contender = contender;
        this.pollMillis = pollMillis;
        this.leaseMillis = leaseMillis;
        this.firstEpoch = firstEpoch;
        this.changed = changed;
        thread = new Thread(this::run, "berth-ha-file-" + folder.role());
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    private void run() {
        try {
            do {
                attempt();
            } while (!closing.await(pause(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException interrupted) {
            LOG.warn("Role {}: this process was interrupted and competes no more", folder.role());
        }
    }

    private long pause() {
        return Math.max(pollMillis.getAsLong(), grantFailed ? FAILED_GRANT_MILLIS : 0);
    }

    private void attempt() throws InterruptedException {
        grantFailed = false;
        try {
            folder.prepare();
            Optional<RoleLock> lock = RoleLock.tryAcquire(folder.lock());
            if (lock.isEmpty()) {
                lock = fromSilentLeader();
            }
            if (lock.isPresent()) {
                standsBy = false;
                silence.over();
                try (RoleLock own = lock.get()) {
                    held = lock;
                    lead(own);
                } finally {
                    held = Optional.empty();
                }
            } else {
                standBy();
            }
            trouble = "";
        } catch (IOException | RuntimeException failure) {
            String text = failure.toString();
            if (!text.equals(trouble)) {
                trouble = text;
                LOG.error(
                        "Role {}: this process cannot compete in {} and tries again: {}",
                        folder.role(),
                        folder,
                        failure.getMessage(),
                        failure);
            }
        }
    }

    private Optional<RoleLock> fromSilentLeader() throws IOException {
        long lease = leaseMillis.getAsLong();
        Optional<LifeSign> last = silence.lasting(folder.lock(), pause(), lease);
        if (last.isEmpty()) {
            return Optional.empty();
        }
        String leader = leader();
        Optional<RoleLock> taken = RoleLock.takeOver(folder.lock(), last.get());
        if (taken.isPresent()) {
            LOG.warn(
                    "Role {}: this process takes it over, {} has shown no sign of life for {} ms",
                    folder.role(),
                    leader,
                    lease);
        }
        return taken;
    }

    /** Shows others that this process lives, while it has the lock. Any thread. */
    void showLife() {
        Optional<RoleLock> lock = held;
        try {
            if (lock.isPresent()) {
                lock.get().showLife();
            }
        } catch (IOException failure) {
            LOG.debug("Role {}: no sign of life was given", folder.role(), failure);
        }
    }

    private String leader() throws IOException {
        return folder.newest()
                .map(leader -> "process " + leader.process()
                        + leader.address().map(at -> " at " + at).orElse("") + ", epoch " + leader.epoch() + ",")
                .orElse("another candidate");
    }

    private void standBy() throws IOException {
        // Also so that the epoch counts on from what was there, should somebody remove it.
        look.look();
        if (!standsBy) {
            standsBy = true;
            LOG.info("Role {}: this process stands by, at {}; {} leads", folder.role(), address, leader());
        }
    }

    private void lead(RoleLock lock) throws IOException, InterruptedException {
        Optional<String> problem = lock.problem();
        if (problem.isPresent()) {
            throw new IOException(problem.get());
        }
        long before = folder.highestEpoch();
        long epoch = before == 0 ? Math.max(firstEpoch.getAsLong(), 1) : before + 1;
        LeaderRecord record = folder.begin(epoch);
        changed.run();
        if (closing.getCount() == 0 || lock.problem().isPresent()) {
            return;
        }
        grantFailed = !granted(epoch);
        if (grantFailed) {
            return;
        }
        LeaderRecord serving = new LeaderRecord(record.role(), epoch, Optional.of(address), record.process());
        Optional<String> lost = hold(lock, serving);
        if (lost.isPresent()) {
            revoke(epoch, lost.get());
        } else {
            if (deposed) {
                revoke(epoch, "the election ends");
            }
            LOG.info("Role {}: this process leads no more, epoch {}, as it was told", folder.role(), epoch);
            write(record);
        }
        changed.run();
    }

    private boolean granted(long epoch) {
        LOG.info("Role {}: this process leads, epoch {}, at {}", folder.role(), epoch, address);
        try {
            contender.granted(epoch);
            return true;
        } catch (Throwable failure) {
            LOG.error(
                    "Role {}: this process cannot lead in epoch {} and gives the role up; it competes again in {} ms",
                    folder.role(),
                    epoch,
                    FAILED_GRANT_MILLIS,
                    failure);
            return false;
        }
    }

    private void revoke(long epoch, String cause) {
        LOG.warn("Role {}: this process leads no more, epoch {}: {}", folder.role(), epoch, cause);
        try {
            contender.revoked(cause);
        } catch (Throwable failure) {
            LOG.error("Role {}: epoch {} did not end well", folder.role(), epoch, failure);
        }
    }

    /** Until closed, or for as long as it leads: then why not any more. */
    private Optional<String> hold(RoleLock lock, LeaderRecord record) throws InterruptedException {
        Optional<String> lost;
        do {
            lost = lost(lock, record);
        } while (lost.isEmpty() && !closing.await(pollMillis.getAsLong(), TimeUnit.MILLISECONDS));
        return lost;
    }

    private Optional<String> lost(RoleLock lock, LeaderRecord record) {
        Optional<String> problem = lock.problem();
        if (problem.isPresent()) {
            return problem;
        }
        try {
            RoleFolder.Content now = look.look();
            long highest = now.highestEpoch();
            if (highest > record.epoch()) {
                return Optional.of("epoch " + highest + " has begun");
            }
            if (!now.newest().equals(Optional.of(record))) {
                write(record);
                changed.run();
            }
        } catch (IOException failure) {
            // With the lock file as it should be nobody else can lead, whatever else is wrong.
            report("its folder cannot be read", failure);
        }
        return Optional.empty();
    }

    private void write(LeaderRecord record) {
        try {
            folder.write(record);
            trouble = "";
        } catch (IOException failure) {
            report("its record cannot be written", failure);
        }
    }

    private void report(String what, IOException failure) {
        if (!failure.toString().equals(trouble)) {
            trouble = failure.toString();
            LOG.warn("Role {}: this process leads, but {}; others may not find it", folder.role(), what, failure);
        }
    }

    /** The election itself ends: a contender that leads is told. */
    void depose() {
        deposed = true;
        close();
    }

    @Override
    public void close() {
        closing.countDown();
        if (Thread.currentThread() == thread) {
            return;
        }
        try {
            thread.join(END_MILLIS);
            if (thread.isAlive()) {
                LOG.warn(
                        "Role {}: the candidate has not ended within {} ms: it still does what it was told",
                        folder.role(),
                        END_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
