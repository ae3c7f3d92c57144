package io.berth.core.dispatcher.store;

import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;

/** A metadata store in memory. Its records outlive the Dispatcher of a test, and it can be made to fail. */
public final class MemoryStore implements MetadataStore {

    /** The process dies at this change; nothing happens after it. */
    public static final class Crash extends Error {
        private static final long serialVersionUID = 1L;
    }

    public final SortedMap<String, Versioned> records = new TreeMap<>();
    public final Set<String> damaged = new HashSet<>();
    /** Records that cannot be read at the moment. */
    public final Set<String> silentRecords = new HashSet<>();

    private long versions;
    public boolean full;
    public boolean unreadable;
    /** Number of requested changes, including failed ones. */
    public int changes;
    /** The change at which the process dies, before or after it is stored; 0: never. */
    public int crashBefore;

    public int crashAfter;
    /** The change that is stored but reported as failed; 0: none. */
    public int failAfter;

    private int beforeChangeAt;
    private Callable<?> beforeChange = () -> null;
    private boolean crashed;
    public int maxValueBytes = 1 << 20;

    /** Calls {@code other} just before the next change. */
    void beforeNextChange(Callable<?> other) {
        beforeChangeAt = changes + 1;
        beforeChange = other;
    }

    /** The process restarts. */
    public void restart() {
        crashed = false;
        crashBefore = 0;
        crashAfter = 0;
        failAfter = 0;
    }

    boolean crashed() {
        return crashed;
    }

    private void check(String key) throws IOException {
        if (crashed) {
            throw new Crash();
        }
        if (unreadable || silentRecords.contains(key)) {
            throw new IOException("the disk does not answer");
        }
        if (damaged.contains(key)) {
            throw new DamagedRecordException(key, "metadata '" + key + "' cannot be read");
        }
    }

    private void changing(String key) throws IOException {
        check(key);
        changes++;
        if (changes == beforeChangeAt) {
            try {
                beforeChange.call();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
        if (changes == crashBefore) {
            crashed = true;
            throw new Crash();
        }
        if (full) {
            throw new IOException("no space left on device");
        }
    }

    private WriteResult changed(long version) throws IOException {
        if (changes == crashAfter) {
            crashed = true;
            throw new Crash();
        }
        if (changes == failAfter) {
            throw new IOException("the directory could not be forced");
        }
        return new WriteResult.Written(version);
    }

    @Override
    public synchronized Optional<Versioned> read(String key) throws IOException {
        check(key);
        return Optional.ofNullable(records.get(key));
    }

    @Override
    public synchronized WriteResult write(String key, long expectedVersion, byte[] value) throws IOException {
        changing(key);
        Optional<Versioned> now = Optional.ofNullable(records.get(key));
        if (now.map(Versioned::version).orElse(ABSENT) != expectedVersion) {
            return new WriteResult.Conflict(now);
        }
        records.put(key, new Versioned(++versions, value));
        return changed(versions);
    }

    @Override
    public synchronized WriteResult delete(String key, long expectedVersion) throws IOException {
        changing(key);
        Optional<Versioned> now = Optional.ofNullable(records.get(key));
        if (now.map(Versioned::version).orElse(ABSENT) != expectedVersion) {
            return new WriteResult.Conflict(now);
        }
        records.remove(key);
        return changed(ABSENT);
    }

    @Override
    public synchronized List<String> keys(String prefix) throws IOException {
        if (crashed) {
            throw new Crash();
        }
        if (unreadable) {
            throw new IOException("the disk does not answer");
        }
        return records.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
    }

    @Override
    public int maxValueBytes() {
        return maxValueBytes;
    }
}
