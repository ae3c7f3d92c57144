package io.berth.core.policies.swap;

import io.berth.core.api.operations.PolicyOperations.SwapDetails;
import io.berth.spi.PolicyKind;
import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
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
 * Keeps the records of changes in the metadata store, in segments: what changed is written from time to time, a few
 * segments at once, so that the disk sees a bounded number of writes however many changes there are. Waits for the
 * disk: on one thread at a time, never a main thread. What is not written yet when the process dies is lost.
 */
public final class SwapStore {

    private static final Logger LOG = LoggerFactory.getLogger(SwapStore.class);
    private static final String PREFIX = "policies/swaps/";

    /** Segments of one call of {@link #flush}. */
    static final int MAX_WRITES = 4;

    private final SwapLog log;
    /** Versions of the records that this one read or wrote. */
    private final SortedMap<String, Long> versions = new TreeMap<>();

    private Optional<MetadataStore> store = Optional.empty();
    private boolean restored;
    private boolean failing;

    public SwapStore(SwapLog log) {
        this.log = log;
    }

    /**
     * A store came. The log takes over what it keeps, of earlier lives and of whoever led meanwhile; one that keeps nothing
     * gets all that the log has.
     */
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
        for (String key : keys) {
            Optional<PolicyKind> kind = kind(key);
            long segment = segment(key);
            if (kind.isEmpty() || segment < 0) {
                LOG.warn("record {} of the metadata store is none of policy changes; it is left alone", key);
                continue;
            }
            segments.computeIfAbsent(kind.get(), same -> new TreeSet<>()).add(segment);
            try {
                Optional<Versioned> read = found.read(key);
                read.ifPresent(record -> versions.put(key, record.version()));
                if (read.isPresent()) {
                    records.computeIfAbsent(kind.get(), same -> new TreeMap<>())
                            .putAll(SwapRecords.read(read.get().value()));
                }
            } catch (IOException | RuntimeException damaged) {
                lost += SwapSegments.SEGMENT;
                LOG.error(
                        "up to {} records of changes of {} policies are lost: {} cannot be read ({}). The others are"
                                + " there; delete the damaged record, or leave it until it would be forgotten",
                        SwapSegments.SEGMENT,
                        kind.get().label(),
                        key,
                        damaged.getMessage());
            }
        }
        log.restore(records, segments, lost, restored);
    }

    /** The store is about to go: what is not written yet is written now. */
    public synchronized void detach(MetadataStore gone) {
        if (store.filter(there -> there == gone).isPresent()) {
            flushAll();
            store = Optional.empty();
        }
    }

    /** Writes a few segments that changed. */
    public synchronized void flush() {
        write(MAX_WRITES);
    }

    /** Writes all segments that changed, as far as that goes well. */
    public synchronized void flushAll() {
        write(Integer.MAX_VALUE);
    }

    private void write(int most) {
        if (store.isEmpty()) {
            return;
        }
        int left = most;
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

    private boolean write(MetadataStore there, PolicyKind kind, long segment) {
        String key = key(kind, segment);
        try {
            SortedMap<Long, SwapDetails> records = log.segment(kind, segment);
            long version = version(there, key);
            if (records.isEmpty()) {
                if (version != MetadataStore.ABSENT) {
                    there.delete(key, version);
                }
                versions.remove(key);
            } else if (there.write(key, version, SwapRecords.bytes(records)) instanceof WriteResult.Written written) {
                versions.put(key, written.version());
            } else {
                throw new IOException("somebody else wrote " + key);
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
            // It is open what is there now: read before the next write.
            versions.put(key, MetadataStore.ABSENT);
            if (!failing) {
                LOG.warn("records of policy changes cannot be kept; it is tried again: {}", failure.getMessage());
            }
            failing = true;
            return false;
        }
    }

    /** The version to expect; a damaged record is given up. */
    private long version(MetadataStore there, String key) throws IOException {
        Long known = versions.get(key);
        if (known == null) {
            return MetadataStore.ABSENT;
        }
        return known != MetadataStore.ABSENT
                ? known
                : there.read(key).map(Versioned::version).orElse(MetadataStore.ABSENT);
    }

    private static String key(PolicyKind kind, long segment) {
        return PREFIX + kind.label() + "/" + segment;
    }

    private static Optional<PolicyKind> kind(String key) {
        for (PolicyKind kind : PolicyKind.values()) {
            if (key.startsWith(PREFIX + kind.label() + "/")) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    private static long segment(String key) {
        try {
            return Long.parseLong(key.substring(key.lastIndexOf('/') + 1));
        } catch (NumberFormatException none) {
            return -1;
        }
    }
}
