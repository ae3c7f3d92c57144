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
 * still meanwhile; a standby leads within the poll interval after the leader is gone.
 */
final class FileLeaderElection implements LeaderElection, AutoCloseable {

    private static final int LONGEST_ADDRESS = 500;

    private final Path directory;
    private final InstantSource clock;
    private final Followers followers = new Followers(this::pollMillis);
    private final List<Candidacy> candidacies = new ArrayList<>();
    private final Map<String, RoleFolder> folders = new TreeMap<>();
    private volatile long pollMillis;
    private boolean closed;

    private FileLeaderElection(Path directory, InstantSource clock, long pollMillis) {
        this.directory = directory;
        this.clock = clock;
        this.pollMillis = pollMillis;
    }

    /**
     * Makes the folder when it is not there.
     *
     * @param clock a role whose folder is empty begins with the seconds since 1970 as epoch, so that the epochs of a
     *     cluster rise even over the loss of the folder
     * @param pollMillis 1 to 60000
     * @throws IOException when the folder cannot be used; names it and what to do
     */
    static FileLeaderElection open(Path directory, InstantSource clock, long pollMillis) throws IOException {
        check(pollMillis);
        RecordDirectory.create(directory);
        OwnFolder.check(directory);
        FileLeaderElection election = new FileLeaderElection(directory.toAbsolutePath(), clock, pollMillis);
        election.followers.start();
        return election;
    }

    private static void check(long pollMillis) {
        if (pollMillis < 1 || pollMillis > 60_000) {
            throw new IllegalArgumentException("poll.ms = " + pollMillis + ": allowed are 1 to 60000");
        }
    }

    /** How often candidates, leaders and followers look, in milliseconds; from the next time on. */
    void pollMillis(long millis) {
        check(millis);
        pollMillis = millis;
    }

    private long pollMillis() {
        return pollMillis;
    }

    @Override
    public AutoCloseable compete(String role, String address, Contender contender) {
        if (address.isBlank() || address.length() > LONGEST_ADDRESS
                || address.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("address '" + address + "' of role " + role + ": allowed are 1 to "
                    + LONGEST_ADDRESS + " printable characters");
        }
        Candidacy candidacy = new Candidacy(
                folder(role),
                address,
                contender,
                this::pollMillis,
                () -> clock.instant().getEpochSecond(),
                followers::look);
        synchronized (this) {
            checkOpen();
            candidacies.add(candidacy);
        }
        candidacy.start();
        return () -> {
            candidacy.close();
            synchronized (this) {
                candidacies.remove(candidacy);
            }
        };
    }

    @Override
    public AutoCloseable follow(String role, Consumer<Optional<Leader>> listener) {
        RoleFolder folder = folder(role);
        synchronized (this) {
            checkOpen();
        }
        return followers.add(folder, listener);
    }

    /** One for all of this process, which so remembers the highest epoch that any of them saw. */
    private synchronized RoleFolder folder(String role) {
        return folders.computeIfAbsent(role, name -> new RoleFolder(directory, name));
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
    }

    @Override
    public String toString() {
        return directory.toString();
    }
}
