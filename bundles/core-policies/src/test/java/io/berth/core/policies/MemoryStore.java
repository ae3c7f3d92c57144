package io.berth.core.policies;

import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A metadata store in memory that can be made to fail. */
public final class MemoryStore implements MetadataStore {

    private final SortedMap<String, Versioned> records = new TreeMap<>();
    private long versions;
    public boolean full;
    public boolean unreadable;
    public int writes;

    @Override
    public synchronized Optional<Versioned> read(String key) throws IOException {
        if (unreadable) {
            throw new IOException("a read fails");
        }
        return Optional.ofNullable(records.get(key));
    }

    @Override
    public synchronized WriteResult write(String key, long expectedVersion, byte[] value) throws IOException {
        if (full) {
            throw new IOException("no space left");
        }
        Optional<Versioned> now = read(key);
        if (now.map(Versioned::version).orElse(ABSENT) != expectedVersion) {
            return new WriteResult.Conflict(now);
        }
        writes++;
        records.put(key, new Versioned(++versions, value));
        return new WriteResult.Written(versions);
    }

    @Override
    public synchronized WriteResult delete(String key, long expectedVersion) {
        records.remove(key);
        return new WriteResult.Written(ABSENT);
    }

    @Override
    public synchronized List<String> keys(String prefix) {
        return records.keySet().stream().filter(key -> key.startsWith(prefix)).toList();
    }

    @Override
    public int maxValueBytes() {
        return 1 << 20;
    }
}
