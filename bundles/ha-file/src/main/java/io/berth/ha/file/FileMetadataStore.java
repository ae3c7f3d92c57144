package io.berth.ha.file;

import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.Keys;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link MetadataStore} in a directory of one host, one file for each version of a record. Versions are counted over
 * the whole store. The newest version and the one before are kept: when the newest is damaged, which is reported once,
 * the one before counts. Any thread; one call at a time, others wait.
 */
final class FileMetadataStore implements MetadataStore, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(FileMetadataStore.class);

    /** Limits: bytes of a value, and records at once. */
    record Limits(int valueMaxBytes, int recordsMax) {

        static final int SMALLEST_VALUE_MAX = 1024 * 1024;

        Limits {
            if (valueMaxBytes < SMALLEST_VALUE_MAX || valueMaxBytes > RecordFormat.LARGEST_VALUE) {
                throw new IllegalArgumentException("value.max.bytes = " + valueMaxBytes + ": allowed are "
                        + SMALLEST_VALUE_MAX + " to " + RecordFormat.LARGEST_VALUE);
            }
            if (recordsMax < 1 || recordsMax > 1_000_000) {
                throw new IllegalArgumentException("records.max = " + recordsMax + ": allowed are 1 to 1000000");
            }
        }
    }

    /** The version that counts, and its file. */
    private record Found(Versioned record, RecordName name) {}

    private final RecordDirectory directory;
    private final StoreLock lock;
    private final Limits limits;
    /** Versions on disk by key, oldest first. No entry is empty. */
    private final NavigableMap<String, NavigableMap<Long, RecordName>> records = new TreeMap<>();

    private final Set<RecordName> damaged = new HashSet<>();
    private long lastVersion;
    private boolean closed;

    private FileMetadataStore(RecordDirectory directory, StoreLock lock, Limits limits) {
        this.directory = directory;
        this.lock = lock;
        this.limits = limits;
    }

    /**
     * Opens the directory, which is created when it is not there, and checks all records in it.
     *
     * @throws IOException when another opener holds it, which the message names, or it is not the user's own folder, or
     *     cannot be read
     */
    static FileMetadataStore open(Path path, Limits limits) throws IOException {
        RecordDirectory directory = RecordDirectory.create(path);
        OwnFolder.check(path);
        StoreLock lock = StoreLock.acquire(path);
        try {
            FileMetadataStore store = new FileMetadataStore(directory, lock, limits);
            store.load();
            return store;
        } catch (IOException | RuntimeException failure) {
            lock.close();
            throw failure;
        }
    }

    private synchronized void load() throws IOException {
        directory.removeUnfinished();
        for (RecordName name : directory.names()) {
            add(name);
            lastVersion = Math.max(lastVersion, name.version());
        }
        for (String key : List.copyOf(records.keySet())) {
            tidy(key);
            for (RecordName name : records.get(key).values()) {
                check(name);
            }
        }
    }

    /** What cannot be read now concerns who reads it, not the opening. */
    private void check(RecordName name) {
        try {
            if (!name.deletion()) {
                good(name);
            }
        } catch (IOException failure) {
            LOG.warn("Metadata '{}' version {} could not be checked in {}", name.key(), name.version(), directory,
                    failure);
        }
    }

    @Override
    public synchronized Optional<Versioned> read(String key) throws IOException {
        checkOpen();
        return current(Keys.check(key)).map(Found::record);
    }

    @Override
    public synchronized WriteResult write(String key, long expectedVersion, byte[] value) throws IOException {
        checkOpen();
        Keys.check(key);
        checkVersion(key, expectedVersion, ABSENT);
        if (value.length > limits.valueMaxBytes()) {
            throw new IllegalArgumentException("metadata '" + key + "': " + value.length
                    + " bytes, allowed are up to " + limits.valueMaxBytes() + " (value.max.bytes)");
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
        NavigableMap<Long, RecordName> versions = records.get(key);
        current.ifPresentOrElse(
                before -> removeAll(versions.headMap(name.version(), false).values().stream()
                        .filter(older -> !older.equals(before.name()))
                        .toList()),
                () -> removeAll(List.copyOf(versions.headMap(name.version(), false).values())));
        return new WriteResult.Written(name.version());
    }

    @Override
    public synchronized WriteResult delete(String key, long expectedVersion) throws IOException {
        checkOpen();
        Keys.check(key);
        checkVersion(key, expectedVersion, ABSENT + 1);
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
    public synchronized void close() throws IOException {
        if (!closed) {
            closed = true;
            lock.close();
        }
    }

    /** Files with a version that cannot be read, by name; those that were removed since are not among them. */
    synchronized List<String> damagedFiles() {
        return damaged.stream().map(RecordName::fileName).sorted().toList();
    }

    /** Empty when the record is not there. */
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
        throw new DamagedRecordException(key, "metadata '" + key + "' cannot be read, no version of it is whole: "
                + unreadable + " in " + directory + "; put them back from a copy, or remove them while the store is"
                + " closed and the record counts as absent");
    }

    /** Empty, and reported once, when the file is damaged. */
    private Optional<Versioned> good(RecordName name) throws IOException {
        try {
            return Optional.of(new Versioned(name.version(), directory.read(name)));
        } catch (DamagedBytesException damage) {
            if (damaged.add(name)) {
                LOG.warn("Metadata '{}' version {} is damaged: {} ({} in {}); the version before counts if it is whole",
                        name.key(), name.version(), damage.getMessage(), name.fileName(), directory);
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
        // From here on it is durable, and so is every removal before it: deletions whose older versions are gone
        // have served, a newer version now keeps the count.
        for (NavigableMap<Long, RecordName> versions : List.copyOf(records.values())) {
            RecordName first = versions.firstEntry().getValue();
            if (first.deletion()) {
                removeAll(List.of(first));
            }
        }
        add(name);
    }

    /** Removes what a deletion has made void. The deletion itself stays until the removal is surely on disk. */
    private void tidy(String key) {
        NavigableMap<Long, RecordName> versions = records.get(key);
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
                LOG.warn("Metadata '{}': version {} could not be removed and stays until the next change",
                        name.key(), name.version(), failure);
                return;
            }
            damaged.remove(name);
            NavigableMap<Long, RecordName> versions = records.get(name.key());
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
            throw new IOException("metadata store " + directory + " is closed: take the service anew");
        }
    }
}
