package io.berth.ha.file;

import io.berth.spi.ha.LeaderElection;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Elects leaders through a folder on one host. It has a folder for each role with a lock file, which the operating
 * system unlocks when the leader's process ends, and the epochs of the role. All processes that use the same folder
 * take part in the same election. A leader notices within the poll interval that its lock is no longer valid, even if
 * it was paused. A standby leads within the poll interval after the leader is gone, and after the lease when the
 * leader exists but is paused.
 */
final class FileLeaderElection implements LeaderElection, AutoCloseable {

    private static final int MAX_ADDRESS_LENGTH = 500;

    private final Path directory;
    private final InstantSource clock;
    private final Followers followers = new Followers(this::pollMillis);
    private final LeaseRenewal leaseRenewal = new LeaseRenewal(this::pollMillis);
    private final List<LeaderElector> electors = new ArrayList<>();
    private final Map<String, Role> roles = new TreeMap<>();
    private volatile long pollMillis;
    private volatile long leaseMillis;
    private boolean closed;

    /**
     * A role, shared by this whole process. It remembers the highest epoch that any contender of the process saw, and
     * reads it once for all.
     */
    private record Role(RoleFolder folder, CachedRead<RoleFolder.Content> content) {}

    private FileLeaderElection(Path directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /**
     * Creates the folder if it does not exist.
     *
     * @param clock the first epoch of a role with an empty folder is the number of seconds since 1970, so that epochs
     *     keep rising even if the folder is lost
     * @param pollMillis 1 to 60000
     * @param leaseMillis how long a leader may show no sign of life before a standby takes over; 100 to 600000, at
     *     least five times the poll interval
     * @throws IOException when the folder cannot be used; the message names it and what to do
     */
    static FileLeaderElection open(Path directory, InstantSource clock, long pollMillis, long leaseMillis)
            throws IOException {
        FileLeaderElection election = new FileLeaderElection(directory.toAbsolutePath(), clock);
        election.times(pollMillis, leaseMillis);
        RecordDirectory.create(directory);
        OwnFolder.check(directory);
        election.followers.start();
        election.leaseRenewal.start();
        return election;
    }

    /**
     * Sets how often candidates, leaders and followers check, and the lease, in milliseconds. Takes effect at the next
     * check.
     */
    void times(long poll, long lease) {
        if (poll < 1 || poll > 60_000) {
            throw new IllegalArgumentException("poll.ms = " + poll + ": allowed are 1 to 60000");
        }
        if (lease < 100 || lease > 600_000 || lease < 5 * poll) {
            throw new IllegalArgumentException("lease.ms = " + lease + ": allowed are 100 to 600000, and at least five"
                    + " times poll.ms, which is " + poll);
        }
        pollMillis = poll;
        leaseMillis = lease;
    }

    private long pollMillis() {
        return pollMillis;
    }

    @Override
    public AutoCloseable compete(String role, String address, Contender contender) {
        if (address.isBlank()
                || address.length() > MAX_ADDRESS_LENGTH
                || address.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("address '" + address + "' of role " + role + ": allowed are 1 to "
                    + MAX_ADDRESS_LENGTH + " printable characters");
        }
        Role contested = role(role);
        LeaderElector elector = new LeaderElector(
                contested.folder(),
                contested.content(),
                address,
                contender,
                this::pollMillis,
                () -> leaseMillis,
                () -> clock.instant().getEpochSecond(),
                followers::check);
        synchronized (this) {
            checkOpen();
            electors.add(elector);
        }
        leaseRenewal.add(elector);
        elector.start();
        return () -> {
            elector.close();
            leaseRenewal.remove(elector);
            synchronized (this) {
                electors.remove(elector);
            }
        };
    }

    @Override
    public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
        Role followed = role(role);
        synchronized (this) {
            checkOpen();
        }
        return followers.add(followed.folder(), followed.content(), listener);
    }

    private synchronized Role role(String role) {
        return roles.computeIfAbsent(role, name -> {
            RoleFolder folder = new RoleFolder(directory, name);
            return new Role(folder, new CachedRead<>(folder::stamp, folder::content, clock));
        });
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the election in " + directory + " is closed: get the service again");
        }
    }

    /** Revokes the leaders of this process; others may replace them. */
    @Override
    public void close() {
        List<LeaderElector> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(electors);
            electors.clear();
        }
        left.forEach(LeaderElector::revokeAndClose);
        followers.close();
        leaseRenewal.close();
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
