package io.berth.ha.file;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of one role: a lock file, and a record for each of the last two epochs. The file name gives the epoch, so
 * that damaged content never lowers it. The holder of the lock changes records, everybody reads them. Only one process
 * can write a given epoch, even when two believe that they hold the lock. Thread-safe.
 */
final class RoleFolder {

    static final String LOCK = "lock";

    private static final Logger LOG = LoggerFactory.getLogger(RoleFolder.class);
    private static final Pattern ROLE = Pattern.compile("[a-z0-9][a-z0-9-]{0,63}");

    private final String role;
    private final Path path;
    /** The highest epoch that was ever seen here. It keeps rising even when somebody removes records. */
    private long highest;

    private long damaged;
    private Optional<RecordName> newestName = Optional.empty();

    /**
     * The content of the folder.
     *
     * @param highestEpoch the newest epoch, 0 for none
     * @param newest what is known about it
     */
    record Content(long highestEpoch, Optional<LeaderRecord> newest) {}

    RoleFolder(Path election, String role) {
        if (!ROLE.matcher(role).matches()) {
            throw new IllegalArgumentException(
                    "role '" + role + "': allowed are 1 to 64 characters, [a-z0-9][a-z0-9-]*");
        }
        this.role = role;
        this.path = election.resolve(role);
    }

    String role() {
        return role;
    }

    Path lock() {
        return path.resolve(LOCK);
    }

    /** Creates the folder if it does not exist. */
    void prepare() throws IOException {
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            OwnFolder.check(Objects.requireNonNull(path.getParent()));
            if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                RecordDirectory.create(path);
            }
            OwnFolder.check(path);
        }
    }

    /** The newest epoch, 0 for none. */
    synchronized long highestEpoch() throws IOException {
        for (RecordName name : names()) {
            highest = Math.max(highest, name.version());
        }
        return highest;
    }

    /** The whole content. */
    synchronized Content content() throws IOException {
        Optional<LeaderRecord> newest = newest();
        return new Content(highest, newest);
    }

    /** What the file system said about the last content that was read. */
    synchronized Optional<FolderStamp> stamp() throws IOException {
        return newestName.isEmpty()
                ? Optional.empty()
                : FolderStamp.of(path, path.resolve(newestName.get().fileName()));
    }

    /**
     * Writes a new epoch, without an address. When this returns, it is on stable storage, and no other process has it.
     */
    LeaderRecord begin(long epoch) throws IOException {
        synchronized (this) {
            // When the write fails, the epoch may or may not be stored. It is not used again.
            highest = Math.max(highest, epoch);
        }
        OwnFolder.check(path);
        RecordDirectory.at(path).removeUnfinished();
        LeaderRecord record = new LeaderRecord(
                role, epoch, Optional.empty(), ProcessHandle.current().pid());
        RecordDirectory.at(path).create(name(epoch), encoded(record));
        removeOlder(epoch);
        return record;
    }

    /** Replaces the record of an epoch, completely or not at all. */
    void write(LeaderRecord record) throws IOException {
        RecordDirectory.at(path).write(name(record.epoch()), encoded(record));
    }

    private byte[] encoded(LeaderRecord record) {
        return RecordFormat.encode(role, record.epoch(), record.value());
    }

    /** The record of the newest epoch; empty when there is none or it is damaged. */
    synchronized Optional<LeaderRecord> newest() throws IOException {
        Optional<RecordName> name = names().stream().max(Comparator.comparing(RecordName::version));
        newestName = name;
        if (name.isEmpty()) {
            return Optional.empty();
        }
        long epoch = name.get().version();
        highest = Math.max(highest, epoch);
        try {
            return Optional.of(
                    LeaderRecord.read(role, epoch, RecordDirectory.at(path).read(name.get())));
        } catch (DamagedBytesException damage) {
            if (damaged != epoch) {
                damaged = epoch;
                LOG.warn(
                        "Role {}: who leads in epoch {} is not known, its record is damaged: {} ({} in {}); its leader"
                                + " writes it again, else the next epoch follows it",
                        role,
                        epoch,
                        damage.getMessage(),
                        name.get().fileName(),
                        path);
            }
            return Optional.empty();
        }
    }

    private void removeOlder(long epoch) {
        try {
            List<RecordName> older = new ArrayList<>(names());
            older.removeIf(name -> name.version() >= epoch);
            older.sort(Comparator.comparing(RecordName::version));
            for (RecordName name : older.subList(0, Math.max(older.size() - 1, 0))) {
                RecordDirectory.at(path).remove(name);
            }
        } catch (IOException failure) {
            LOG.warn("Role {}: records of older epochs could not be removed from {} and stay", role, path, failure);
        }
    }

    private RecordName name(long epoch) {
        return new RecordName(role, epoch, false);
    }

    /** The records of this role; other files are ignored. */
    private List<RecordName> names() throws IOException {
        List<RecordName> names = new ArrayList<>();
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            return names;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path)) {
            for (Path file : files) {
                RecordName.parse(file.getFileName().toString())
                        .filter(name -> name.key().equals(role) && !name.deletion())
                        .ifPresent(names::add);
            }
        } catch (DirectoryIteratorException failure) {
            throw failure.getCause();
        }
        return names;
    }

    @Override
    public String toString() {
        return path.toString();
    }
}
