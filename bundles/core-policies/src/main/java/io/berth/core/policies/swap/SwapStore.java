package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the records of swaps in the metadata store. Writes a few changed segments at a time, so that the number of
 * writes is bounded, however many swaps there are. What is not written when the process dies is lost. Waits for the
 * disk: never call it on a main thread.
 */
public final class SwapStore {

    private static final Logger LOG = LoggerFactory.getLogger(SwapStore.class);
    private static final String PREFIX = "policies/swaps/";

    /** Segments of one call of {@link #flush}. */
    static final int MAX_WRITES = 4;

    private record Key(PolicyKind kind, long segment) {

        static Optional<Key> of(String text) {
            String[] parts = text.substring(PREFIX.length()).split("/");
            return Arrays.stream(PolicyKind.values())
                    .filter(kind -> parts.length == 2 && kind.label().equals(parts[0]) && parts[1].matches("\\d{1,18}"))
                    .map(kind -> new Key(kind, Long.parseLong(parts[1])))
                    .findFirst();
        }

        @Override
        public String toString() {
            return PREFIX + kind.label() + "/" + segment;
        }
    }

    private final SwapLog log;
    /** Versions that were read or written; {@link MetadataStore#ABSENT}: the store must be asked. */
    private final SortedMap<String, Long> versions = new TreeMap<>();

    private Optional<MetadataStore> store = Optional.empty();
    private boolean restored;
    private boolean failing;

    public SwapStore(SwapLog log) {
        this.log = log;
    }

    /** A store was added. The log takes over its records; an empty one receives those of the log. */
    public synchronized void attach(MetadataStore found) {
        versions.clear();
        try {
            List<String> keys = found.keys(PREFIX);
            if (restored && keys.isEmpty()) {
                log.unwritten();
            } else {
                restore(found, keys);
            }
            keys.forEach(key -> versions.putIfAbsent(key, MetadataStore.ABSENT));
            store = Optional.of(found);
            restored = true;
        } catch (IOException | RuntimeException failure) {
            LOG.error(
                    "the records of policy changes cannot be read from the metadata store; they are not kept until a"
                            + " store comes that can be read",
                    failure);
        }
    }

    private void restore(MetadataStore found, List<String> keys) {
        Map<PolicyKind, SortedMap<Long, SwapDetails>> records = new EnumMap<>(PolicyKind.class);
        Map<PolicyKind, SortedSet<Long>> segments = new EnumMap<>(PolicyKind.class);
        long lost = 0;
        for (String text : keys) {
            Optional<Key> key = Key.of(text);
            if (key.isEmpty()) {
                LOG.warn("record {} of the metadata store is not one of policy changes; it is ignored", text);
                continue;
            }
            PolicyKind kind = key.get().kind();
            segments.computeIfAbsent(kind, same -> new TreeSet<>())
                    .add(key.get().segment());
            try {
                Optional<Versioned> read = found.read(text);
                if (read.isPresent()) {
                    versions.put(text, read.get().version());
                    records.computeIfAbsent(kind, same -> new TreeMap<>())
                            .putAll(SwapRecords.read(read.get().value()));
                }
            } catch (IOException | RuntimeException damaged) {
                lost += SwapSegments.SEGMENT;
                LOG.error(
                        "up to {} records of changes of {} policies are lost: {} cannot be read ({}). The others are"
                                + " there; delete the damaged record, or leave it until it would be forgotten",
                        SwapSegments.SEGMENT,
                        kind.label(),
                        text,
                        damaged.getMessage());
            }
        }
        log.restore(records, segments, lost, restored);
    }

    /** The store is about to be removed: writes the rest. */
    public synchronized void detach(MetadataStore removed) {
        if (store.filter(current -> current == removed).isPresent()) {
            flushAll();
            store = Optional.empty();
        }
    }

    /** Writes a few segments that changed. */
    public synchronized void flush() {
        write(MAX_WRITES);
    }

    /** Writes all segments that changed, until a write fails. */
    public synchronized void flushAll() {
        write(Integer.MAX_VALUE);
    }

    private void write(int max) {
        if (store.isEmpty()) {
            return;
        }
        int left = max;
        for (PolicyKind kind : PolicyKind.values()) {
            for (long segment : log.takeUnwritten(kind, left)) {
                left--;
                if (!write(store.get(), kind, segment)) {
                    log.unwritten(kind, segment);
                    return;
                }
            }
        }
    }

    private boolean write(MetadataStore to, PolicyKind kind, long segment) {
        String key = new Key(kind, segment).toString();
        try {
            SortedMap<Long, SwapDetails> records = log.segment(kind, segment);
            long version = version(to, key);
            if (!records.isEmpty()) {
                if (!(to.write(key, version, SwapRecords.bytes(records)) instanceof WriteResult.Written written)) {
                    throw new IOException("another process wrote " + key);
                }
                versions.put(key, written.version());
            } else {
                if (version != MetadataStore.ABSENT) {
                    to.delete(key, version);
                }
                versions.remove(key);
            }
            if (failing) {
                LOG.info("records of policy changes are kept again");
            }
            failing = false;
            return true;
        } catch (DamagedRecordException damaged) {
            LOG.error("records of policy changes are lost: {}; the others are kept", damaged.getMessage());
            versions.remove(key);
            return true;
        } catch (IOException | RuntimeException failure) {
            // What the store has now is unknown: the next write reads it first.
            versions.put(key, MetadataStore.ABSENT);
            if (!failing) {
                LOG.warn("records of policy changes cannot be kept; it is tried again: {}", failure.getMessage());
            }
            failing = true;
            return false;
        }
    }

    /** The expected version. */
    private long version(MetadataStore from, String key) throws IOException {
        Long known = versions.get(key);
        if (known == null) {
            return MetadataStore.ABSENT;
        }
        return known != MetadataStore.ABSENT
                ? known
                : from.read(key).map(Versioned::version).orElse(MetadataStore.ABSENT);
    }
}
