package io.berth.ha.file;

import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.Keys;
import io.berth.spi.ha.MetadataStores;
import io.berth.spi.ha.SupersededException;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A part of the metadata store in a directory of one host, for one epoch. It has one file for each version of a
 * record, and counts versions across the whole part. It keeps the newest version and the previous one. If the newest
 * is damaged, this is reported once and the previous version counts. When a greater epoch has taken the directory,
 * nothing is changed any longer, and each call fails. Thread-safe; one call runs at a time, others wait.
 */
final class FileMetadataStore implements MetadataStores.Term {

    private static final Logger LOG = LoggerFactory.getLogger(FileMetadataStore.class);

    /** Limits: bytes of a value, and number of records. */
    record Limits(int valueMaxBytes, int recordsMax) {

        static final int MIN_VALUE_MAX_BYTES = 1024 * 1024;

        Limits {
            if (valueMaxBytes < MIN_VALUE_MAX_BYTES || valueMaxBytes > RecordFormat.MAX_VALUE_BYTES) {
                throw new IllegalArgumentException("value.max.bytes = " + valueMaxBytes + ": allowed are "
                        + MIN_VALUE_MAX_BYTES + " to " + RecordFormat.MAX_VALUE_BYTES);
            }
            if (recordsMax < 1 || recordsMax > 1_000_000) {
                throw new IllegalArgumentException("records.max = " + recordsMax + ": allowed are 1 to 1000000");
            }
        }
    }

    /** The version that counts, and its file. */
    private record Found(Versioned record, RecordName name) {}

    private final RecordDirectory directory;
    private final TermFolder term;
    private final Limits limits;
    /** Versions on disk by key, oldest first. No entry is empty. */
    private final NavigableMap<String, NavigableMap<Long, RecordName>> records = new TreeMap<>();

    private final Set<RecordName> damaged = new HashSet<>();
    private long lastVersion;
    private boolean closed;

    private FileMetadataStore(TermFolder term, Limits limits) {
        this.directory = RecordDirectory.at(term.path());
        this.term = term;
        this.limits = limits;
    }

    /**
     * Takes the directory of a part for an epoch, creates it if it does not exist, and checks all records in it.
     *
     * @throws SupersededException when a greater epoch has taken it
     * @throws IOException when the folder does not belong to the user or cannot be read
     */
    static FileMetadataStore open(Path part, long epoch, Limits limits) throws IOException {
        FileMetadataStore store = new FileMetadataStore(TermFolder.take(part.toAbsolutePath(), epoch), limits);
        try {
            store.load();
        } catch (IOException failure) {
            throw store.supersededOr(failure);
        }
        return store;
    }

    private synchronized void load() throws IOException {
        directory.removeUnfinished();
        for (RecordName name : directory.names()) {
            add(name);
            lastVersion = Math.max(lastVersion, name.version());
        }
        for (String key : List.copyOf(records.keySet())) {
            tidy(key);
            for (RecordName name : Objects.requireNonNull(records.get(key)).values()) {
                check(name);
            }
        }
    }

    /** A record that cannot be read now is a problem for its readers, not for the opening. */
    private void check(RecordName name) {
        try {
            if (!name.deletion()) {
                good(name);
            }
        } catch (IOException failure) {
            LOG.warn(
                    "Metadata '{}' version {} could not be checked in {}",
                    name.key(),
                    name.version(),
                    directory,
                    failure);
        }
    }

    @Override
    public synchronized Optional<Versioned> read(String key) throws IOException {
        checkOpen();
        Keys.check(key);
        try {
            return current(key).map(Found::record);
        } catch (IOException failure) {
            throw supersededOr(failure);
        }
    }

    @Override
    public synchronized WriteResult write(String key, long expectedVersion, byte[] value) throws IOException {
        checkOpen();
        Keys.check(key);
        checkVersion(key, expectedVersion, ABSENT);
        try {
            return put(key, expectedVersion, value);
        } catch (IOException failure) {
            throw supersededOr(failure);
        }
    }

    private WriteResult put(String key, long expectedVersion, byte[] value) throws IOException {
        if (value.length > limits.valueMaxBytes()) {
            throw new IllegalArgumentException("metadata '" + key + "': " + value.length + " bytes, allowed are up to "
                    + limits.valueMaxBytes() + " (value.max.bytes)");
        }
        Optional<Found> current = current(key);
        if (versionOf(current) != expectedVersion) {
            return new WriteResult.Conflict(current.map(Found::record));
        }
        if (current.isEmpty() && liveKeys("").size() >= limits.recordsMax()) {
            throw new IOException("metadata store " + directory + " is full: it has " + limits.recordsMax()
                    + " records; delete some or raise records.max before '" + key + "' is written");
        }
        RecordName name = new RecordName(key, ++lastVersion, false);
        publish(name, RecordFormat.encode(key, name.version(), value));
        NavigableMap<Long, RecordName> versions = Objects.requireNonNull(records.get(key));
        current.ifPresentOrElse(
                before -> removeAll(versions.headMap(name.version(), false).values().stream()
                        .filter(older -> !older.equals(before.name()))
                        .toList()),
                () -> removeAll(
                        List.copyOf(versions.headMap(name.version(), false).values())));
        return new WriteResult.Written(name.version());
    }

    @Override
    public synchronized WriteResult delete(String key, long expectedVersion) throws IOException {
        checkOpen();
        Keys.check(key);
        checkVersion(key, expectedVersion, ABSENT + 1);
        try {
            return remove(key, expectedVersion);
        } catch (IOException failure) {
            throw supersededOr(failure);
        }
    }

    private WriteResult remove(String key, long expectedVersion) throws IOException {
        Optional<Found> current = current(key);
        if (versionOf(current) != expectedVersion) {
            return new WriteResult.Conflict(current.map(Found::record));
        }
        RecordName name = new RecordName(key, ++lastVersion, true);
        publish(name, RecordFormat.encode(key, name.version(), new byte[0]));
        tidy(key);
        return new WriteResult.Written(ABSENT);
    }

    @Override
    public synchronized List<String> keys(String prefix) throws IOException {
        checkOpen();
        return liveKeys(prefix);
    }

    @Override
    public int maxValueBytes() {
        return limits.valueMaxBytes();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    synchronized boolean isClosed() {
        return closed;
    }

    /** Files with a version that cannot be read, by name, without those that were removed since. */
    synchronized List<String> damagedFiles() {
        return damaged.stream().map(RecordName::fileName).sorted().toList();
    }

    /** Empty when the record does not exist. */
    private Optional<Found> current(String key) throws IOException {
        NavigableMap<Long, RecordName> versions = records.get(key);
        if (versions == null) {
            return Optional.empty();
        }
        List<String> unreadable = new ArrayList<>();
        for (RecordName name : versions.descendingMap().values()) {
            if (name.deletion()) {
                if (unreadable.isEmpty()) {
                    return Optional.empty();
                }
                break;
            }
            Optional<Versioned> read = good(name);
            if (read.isPresent()) {
                return Optional.of(new Found(read.get(), name));
            }
            unreadable.add(name.fileName());
        }
        throw new DamagedRecordException(
                key,
                "metadata '" + key + "' cannot be read, no version of it is intact:  "
                        + unreadable + " in " + directory
                        + "; restore them from a copy, or remove them while the store is"
                        + " closed and the record counts as absent");
    }

    /** Empty, and reported once, when the file is damaged. */
    private Optional<Versioned> good(RecordName name) throws IOException {
        try {
            return Optional.of(new Versioned(name.version(), directory.read(name)));
        } catch (DamagedBytesException damage) {
            requireMine();
            if (damaged.add(name)) {
                LOG.warn(
                        "Metadata '{}' version {} is damaged: {} ({} in {}); the previous version counts if it is intact",
                        name.key(),
                        name.version(),
                        damage.getMessage(),
                        name.fileName(),
                        directory);
            }
            return Optional.empty();
        }
    }

    private void publish(RecordName name, byte[] bytes) throws IOException {
        try {
            directory.write(name, bytes);
        } catch (IOException failure) {
            if (directory.has(name)) {
                add(name);
            }
            throw failure;
        }
        // From here on the write is durable, and so is every removal before it. Deletions whose older versions are
        // gone are no longer needed: a newer version now keeps the count.
        for (NavigableMap<Long, RecordName> versions : List.copyOf(records.values())) {
            RecordName first = versions.firstEntry().getValue();
            if (first.deletion()) {
                removeAll(List.of(first));
            }
        }
        add(name);
    }

    /** Removes what a deletion has made obsolete. The deletion itself stays until the removal is certainly on disk. */
    private void tidy(String key) {
        NavigableMap<Long, RecordName> versions = Objects.requireNonNull(records.get(key));
        versions.values().stream()
                .filter(RecordName::deletion)
                .reduce((older, newer) -> newer)
                .ifPresent(deletion -> removeAll(
                        List.copyOf(versions.headMap(deletion.version(), false).values())));
    }

    private void removeAll(List<RecordName> names) {
        for (RecordName name : names) {
            try {
                directory.remove(name);
            } catch (IOException failure) {
                LOG.warn(
                        "Metadata '{}': version {} could not be removed and stays until the next change",
                        name.key(),
                        name.version(),
                        failure);
                return;
            }
            damaged.remove(name);
            NavigableMap<Long, RecordName> versions = Objects.requireNonNull(records.get(name.key()));
            versions.remove(name.version());
            if (versions.isEmpty()) {
                records.remove(name.key());
            }
        }
    }

    private void add(RecordName name) {
        records.computeIfAbsent(name.key(), any -> new TreeMap<>()).put(name.version(), name);
    }

    private List<String> liveKeys(String prefix) {
        return records.tailMap(prefix, true).entrySet().stream()
                .takeWhile(entry -> entry.getKey().startsWith(prefix))
                .filter(entry -> !entry.getValue().lastEntry().getValue().deletion())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static long versionOf(Optional<Found> current) {
        return current.map(found -> found.record().version()).orElse(ABSENT);
    }

    private static void checkVersion(String key, long version, long least) {
        if (version < least) {
            throw new IllegalArgumentException(
                    "metadata '" + key + "': expected version " + version + ", allowed are versions from " + least);
        }
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new IOException("metadata store " + directory + " is closed: open it again");
        }
        requireMine();
    }

    private void requireMine() throws SupersededException {
        if (!term.isMine()) {
            throw term.superseded();
        }
    }

    /**
     * The failure, or a {@link SupersededException} when the directory is gone because a greater epoch has taken it.
     */
    private IOException supersededOr(IOException failure) {
        if (failure instanceof SupersededException || term.isMine()) {
            return failure;
        }
        SupersededException superseded = term.superseded();
        superseded.addSuppressed(failure);
        return superseded;
    }
}
