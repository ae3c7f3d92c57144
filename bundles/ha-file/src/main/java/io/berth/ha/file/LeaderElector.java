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
 * One contender for a role, on its own thread. It waits for the lock, or until the holder of the lock has shown no
 * sign of life for the lease. It leads while it holds the lock, and checks at each interval whether it still does.
 */
final class LeaderElector implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElector.class);
    private static final long FAILED_GRANT_MILLIS = 1_000;
    private static final long END_MILLIS = 15_000;

    private final RoleFolder folder;
    private final CachedRead<RoleFolder.Content> content;
    private final String address;
    private final Contender contender;
    private final LongSupplier pollMillis;
    private final LongSupplier leaseMillis;
    private final LongSupplier firstEpoch;
    private final Runnable changed;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final LeaseExpiry leaseExpiry = new LeaseExpiry();
    private volatile Optional<RoleLock> held = Optional.empty();
    private volatile boolean electionEnds;
    private String lastProblem = "";
    private boolean standsBy;
    private boolean grantFailed;

    /**
     * @param content the cached content of {@code folder}, for the check at each interval
     * @param firstEpoch the epoch of a role that has no record yet
     * @param changed runs when what followers see may have changed
     */
    LeaderElector(
            RoleFolder folder,
            CachedRead<RoleFolder.Content> content,
            String address,
            Contender contender,
            LongSupplier pollMillis,
            LongSupplier leaseMillis,
            LongSupplier firstEpoch,
            Runnable changed) {
        this.folder = folder;
        this.content = content;
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
            LOG.warn("Role {}: this process was interrupted and no longer competes", folder.role());
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
                leaseExpiry.reset();
                try (RoleLock own = lock.get()) {
                    held = lock;
                    lead(own);
                } finally {
                    held = Optional.empty();
                }
            } else {
                standBy();
            }
            lastProblem = "";
        } catch (IOException | RuntimeException failure) {
            String text = failure.toString();
            if (!text.equals(lastProblem)) {
                lastProblem = text;
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
        Optional<LockStamp> last = leaseExpiry.expired(folder.lock(), pause(), lease);
        if (last.isEmpty()) {
            return Optional.empty();
        }
        String leader = leader();
        Optional<RoleLock> taken = RoleLock.takeOver(folder.lock(), last.get());
        if (taken.isPresent()) {
            LOG.warn(
                    "Role {}: this process takes over, because {} has shown no sign of life for {} ms",
                    folder.role(),
                    leader,
                    lease);
        }
        return taken;
    }

    /** Shows others that this process lives, while it has the lock. Thread-safe. */
    void renewLease() {
        Optional<RoleLock> lock = held;
        try {
            if (lock.isPresent()) {
                lock.get().renewLease();
            }
        } catch (IOException failure) {
            LOG.debug("Role {}: the lease could not be renewed", folder.role(), failure);
        }
    }

    private String leader() throws IOException {
        return folder.newest()
                .map(leader -> "process " + leader.process()
                        + leader.address().map(at -> " at " + at).orElse("") + ", epoch " + leader.epoch() + ",")
                .orElse("another candidate");
    }

    private void standBy() throws IOException {
        // Reads the epoch too, so that it keeps rising even if somebody removes the record.
        content.read();
        if (!standsBy) {
            standsBy = true;
            LOG.info("Role {}: this process is a standby at {}; {} leads", folder.role(), address, leader());
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
            if (electionEnds) {
                revoke(epoch, "the election ends");
            }
            LOG.info("Role {}: this process no longer leads, epoch {}; it gave up the role", folder.role(), epoch);
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
                    "Role {}: this process cannot lead in epoch {} and gives up the role; it competes again in {} ms",
                    folder.role(),
                    epoch,
                    FAILED_GRANT_MILLIS,
                    failure);
            return false;
        }
    }

    private void revoke(long epoch, String cause) {
        LOG.warn("Role {}: this process no longer leads, epoch {}: {}", folder.role(), epoch, cause);
        try {
            contender.revoked(cause);
        } catch (Throwable failure) {
            LOG.error("Role {}: epoch {} did not end cleanly", folder.role(), epoch, failure);
        }
    }

    /** Returns when closed, or when it no longer leads; then the result says why. */
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
            RoleFolder.Content now = content.read();
            long highest = now.highestEpoch();
            if (highest > record.epoch()) {
                return Optional.of("epoch " + highest + " has begun");
            }
            if (!now.newest().equals(Optional.of(record))) {
                write(record);
                changed.run();
            }
        } catch (IOException failure) {
            // The lock file decides who leads. While it is intact, nobody else can lead, whatever else is wrong.
            report("its folder cannot be read", failure);
        }
        return Optional.empty();
    }

    private void write(LeaderRecord record) {
        try {
            folder.write(record);
            lastProblem = "";
        } catch (IOException failure) {
            report("its record cannot be written", failure);
        }
    }

    private void report(String what, IOException failure) {
        if (!failure.toString().equals(lastProblem)) {
            lastProblem = failure.toString();
            LOG.warn("Role {}: this process leads, but {}; others may not find it", folder.role(), what, failure);
        }
    }

    /** The election ends: a contender that leads is revoked. */
    void revokeAndClose() {
        electionEnds = true;
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
                        "Role {}: the candidate has not ended within {} ms: a callback of the role still runs",
                        folder.role(),
                        END_MILLIS);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
