package io.berth.testcluster;

import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Records that end with the cluster. Thread-safe. */
final class MemoryStore implements MetadataStore {

    private static final int MAX_VALUE_BYTES = 16 << 20;

    private final SortedMap<String, Versioned> records = new TreeMap<>();
    private long versions;

    @Override
    public synchronized Optional<Versioned> read(String key) {
        return Optional.ofNullable(records.get(key));
    }

    @Override
    public synchronized WriteResult write(String key, long expectedVersion, byte[] value) {
        if (!isAt(key, expectedVersion)) {
            return new WriteResult.Conflict(read(key));
        }
        records.put(key, new Versioned(++versions, value));
        return new WriteResult.Written(versions);
    }

    @Override
    public synchronized WriteResult delete(String key, long expectedVersion) {
        if (!isAt(key, expectedVersion)) {
            return new WriteResult.Conflict(read(key));
        }
        records.remove(key);
        return new WriteResult.Written(ABSENT);
    }

    private boolean isAt(String key, long version) {
        return read(key).map(Versioned::version).orElse(ABSENT) == version;
    }

    @Override
    public synchronized List<String> keys(String prefix) {
        return records.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
    }

    @Override
    public int maxValueBytes() {
        return MAX_VALUE_BYTES;
    }
}
