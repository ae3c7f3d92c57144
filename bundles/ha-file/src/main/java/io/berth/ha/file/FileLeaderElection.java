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
 * Elects leaders by a folder on one host, with a folder for each role in it: a lock file, which the operating system
 * unlocks when the process of the leader ends, and the epochs of the role. All processes that use the same folder elect
 * together. A leader notices within the poll interval that its lock is not worth anything any more, also when it stood
 * still meanwhile; a standby leads within the poll interval after the leader is gone, and after the lease when the
 * leader is there and stands still.
 */
final class FileLeaderElection implements LeaderElection, AutoCloseable {

    private static final int LONGEST_ADDRESS = 500;

    private final Path directory;
    private final InstantSource clock;
    private final Followers followers = new Followers(this::pollMillis);
    private final LifeSigns lifeSigns = new LifeSigns(this::pollMillis);
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final Map<String, Role> roles = new TreeMap<>();
    private volatile long pollMillis;
    private volatile long leaseMillis;
    private boolean closed;

    /** A role for all of this process, which so remembers the highest epoch that any of them saw, and reads it once. */
    private record Role(RoleFolder folder, KeptLook<RoleFolder.Content> look) {}

    private FileLeaderElection(Path directory, InstantSource clock) {
        this.directory = directory;
        this.clock = clock;
    }

    /**
     * Makes the folder when it is not there.
     *
     * @param clock a role whose folder is empty begins with the seconds since 1970 as epoch, so that the epochs of a
     *     cluster rise even over the loss of the folder
     * @param pollMillis 1 to 60000
     * @param leaseMillis for how long a leader may show no sign of life before a standby takes over; 100 to 600000, at
     *     least five times the poll interval
     * @throws IOException when the folder cannot be used; names it and what to do
     */
    static FileLeaderElection open(Path directory, InstantSource clock, long pollMillis, long leaseMillis)
            throws IOException {
        FileLeaderElection election = new FileLeaderElection(directory.toAbsolutePath(), clock);
        election.times(pollMillis, leaseMillis);
        RecordDirectory.create(directory);
        OwnFolder.check(directory);
        election.followers.start();
        election.lifeSigns.start();
        return election;
    }

    /** How often candidates, leaders and followers look, and the lease, in milliseconds; from the next time on. */
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
                || address.length() > LONGEST_ADDRESS
                || address.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("address '" + address + "' of role " + role + ": allowed are 1 to "
                    + LONGEST_ADDRESS + " printable characters");
        }
        Role contested = role(role);
        Candidacy candidacy = new Candidacy(
                contested.folder(),
                contested.look(),
                address,
                contender,
                this::pollMillis,
                () -> leaseMillis,
                () -> clock.instant().getEpochSecond(),
                followers::look);
        synchronized (this) {
            checkOpen();
            candidacies.add(candidacy);
        }
        lifeSigns.add(candidacy);
        candidacy.start();
        return () -> {
            candidacy.close();
            lifeSigns.remove(candidacy);
            synchronized (this) {
                candidacies.remove(candidacy);
            }
        };
    }

    @Override
    public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
        Role followed = role(role);
        synchronized (this) {
            checkOpen();
        }
        return followers.add(followed.folder(), followed.look(), listener);
    }

    private synchronized Role role(String role) {
        return roles.computeIfAbsent(role, name -> {
            RoleFolder folder = new RoleFolder(directory, name);
            return new Role(folder, new KeptLook<>(folder::stamp, folder::content, clock));
        });
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the election in " + directory + " is closed: take the service anew");
        }
    }

    /** Leaders of this process are revoked, others may follow them. */
    @Override
    public void close() {
        List<Candidacy> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(candidacies);
            candidacies.clear();
        }
        left.forEach(Candidacy::depose);
        followers.close();
        lifeSigns.close();
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
