package io.berth.core.policies.pools;

import io.berth.spi.ha.DamagedRecordException;
import io.berth.spi.ha.MetadataStore;
import io.berth.spi.ha.Versioned;
import io.berth.spi.ha.WriteResult;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what queues and submitters used in the metadata store, one record for each pool. A planner continues with the
 * last one. What was not written when the process dies is lost. Reading and writing wait for the disk: never call them
 * on a main thread.
 */
public final class PastUseStore {

    private static final Logger LOG = LoggerFactory.getLogger(PastUseStore.class);
    private static final String PREFIX = "use/";
    private static final int MAX_KNOWN = 100;

    /** What is known of one pool. Guarded by the map. */
    private static final class Pool {
        /** Read or published last. */
        private Optional<PastUse> last = Optional.empty();
        /** A record that was read after the planner had begun, and that it has not taken yet. */
        private Optional<PastUse> foreign = Optional.empty();

        private Optional<PastUse> unwritten = Optional.empty();
        private Optional<Account> planner = Optional.empty();
        private Optional<Long> version = Optional.empty();
        /** The moments of the records that this process read or tried to write, the latest ones. */
        private final Set<Long> known = new LinkedHashSet<>();

        private void knows(long wallMillis) {
            known.remove(wallMillis);
            known.add(wallMillis);
            if (known.size() > MAX_KNOWN) {
                known.remove(known.iterator().next());
            }
        }
    }

    private final SortedMap<String, Pool> pools = new TreeMap<>();
    private Optional<MetadataStore> store = Optional.empty();
    /** A store that could not be read yet: it is not written. */
    private Optional<MetadataStore> unread = Optional.empty();

    private boolean failing;

    /** What one planner knows and says of its pool. Its methods do not wait. */
    public final class Account {

        private final Pool pool;
        private final Optional<PastUse> before;

        private Account(Pool pool) {
            this.pool = pool;
            this.before = pool.last;
        }

        /** What was used before the planner began. */
        public Optional<PastUse> before() {
            return before;
        }

        /** A record of another process that was read later, once. */
        public Optional<PastUse> takeForeign() {
            synchronized (pools) {
                Optional<PastUse> taken = isCurrent() ? pool.foreign : Optional.empty();
                pool.foreign = Optional.empty();
                return taken;
            }
        }

        /** To be written by the next {@link #flush}; ignored when another planner has begun. */
        public void publish(PastUse use) {
            synchronized (pools) {
                if (isCurrent()) {
                    pool.last = Optional.of(use);
                    pool.unwritten = Optional.of(use);
                }
            }
        }

        private boolean isCurrent() {
            return pool.planner.filter(account -> account == this).isPresent();
        }
    }

    /** A planner of the pool begins. Does not wait. */
    public Account open(String pool) {
        synchronized (pools) {
            Pool opened = pools.computeIfAbsent(pool, first -> new Pool());
            if (opened.planner.isEmpty()) {
                // It is the last one.
                opened.foreign = Optional.empty();
            }
            Account account = new Account(opened);
            opened.planner = Optional.of(account);
            return account;
        }
    }

    /** This process does not plan anymore: another one goes on. */
    public void forget() {
        synchronized (pools) {
            pools.clear();
        }
    }

    /** A store was added: its records are restored, unless this process wrote them. */
    public synchronized void attach(MetadataStore found) {
        synchronized (pools) {
            pools.values().forEach(pool -> pool.version = Optional.empty());
        }
        try {
            for (String key : found.keys(PREFIX)) {
                restore(found, key);
            }
            store = Optional.of(found);
            unread = Optional.empty();
            said("what queues used is read from the metadata store");
        } catch (IOException | RuntimeException failure) {
            // Writing would replace what could be read later.
            unread = Optional.of(found);
            if (!failing) {
                LOG.error("what queues used cannot be read from the metadata store; it is tried again", failure);
            }
            failing = true;
        }
    }

    private void said(String well) {
        if (failing) {
            LOG.info(well);
        }
        failing = false;
    }

    private void restore(MetadataStore found, String key) throws IOException {
        Optional<Versioned> read;
        try {
            read = found.read(key);
        } catch (DamagedRecordException damaged) {
            LOG.error("what queues used is forgotten: record {} cannot be read ({})", key, damaged.getMessage());
            return;
        }
        if (read.isEmpty()) {
            return;
        }
        Optional<PastUse> use = parse(key, read.get().value());
        synchronized (pools) {
            Pool pool = pools.computeIfAbsent(key.substring(PREFIX.length()), first -> new Pool());
            pool.version = Optional.of(read.get().version());
            use.filter(record -> !pool.known.contains(record.wallMillis())).ifPresent(record -> {
                pool.knows(record.wallMillis());
                pool.foreign = use;
                if (pool.planner.isEmpty()) {
                    pool.last = use;
                }
                // Written without what the planner does not know yet, it would be lost.
                pool.unwritten = Optional.empty();
            });
        }
    }

    private static Optional<PastUse> parse(String key, byte[] bytes) {
        try {
            return Optional.of(PastUse.read(bytes));
        } catch (IOException damaged) {
            LOG.error("what queues used is forgotten: record {} cannot be read ({})", key, damaged.getMessage());
            return Optional.empty();
        }
    }

    /** The store is about to be removed: writes the rest. */
    public synchronized void detach(MetadataStore removed) {
        flush();
        store = store.filter(current -> current != removed);
        unread = unread.filter(current -> current != removed);
    }

    /** Writes what was published. */
    public synchronized void flush() {
        unread.ifPresent(this::attach);
        if (store.isEmpty()) {
            return;
        }
        Map<String, Pool> all;
        synchronized (pools) {
            all = new HashMap<>(pools);
        }
        all.forEach((name, pool) -> write(store.get(), PREFIX + name, pool));
    }

    private void write(MetadataStore to, String key, Pool pool) {
        PastUse use;
        Optional<Long> known;
        synchronized (pools) {
            if (pool.unwritten.isEmpty() || pool.foreign.isPresent()) {
                return;
            }
            use = pool.unwritten.get();
            pool.unwritten = Optional.empty();
            known = pool.version;
            pool.version = Optional.empty();
            pool.knows(use.wallMillis());
        }
        try {
            long version = known.isPresent()
                    ? known.get()
                    : to.read(key).map(Versioned::version).orElse(MetadataStore.ABSENT);
            if (!(to.write(key, version, use.bytes(to.maxValueBytes())) instanceof WriteResult.Written written)) {
                throw new IOException("another process wrote " + key);
            }
            synchronized (pools) {
                pool.version = Optional.of(written.version());
            }
            said("what queues used is kept again");
        } catch (IOException | RuntimeException failure) {
            // What the store has now is unknown: the next write reads it first.
            synchronized (pools) {
                pool.unwritten = pool.unwritten.or(() -> Optional.of(use));
            }
            if (!failing) {
                LOG.warn("what queues used cannot be kept; it is tried again: {}", failure.getMessage());
            }
            failing = true;
        }
    }
}
