package io.berth.core.policies.guard;

import java.util.Optional;

/** The calls into one bundle for one pool, or for all other owners. Guarded by the lock of the guard. */
final class Bulkhead {

    /**
     * Whose calls these are.
     *
     * @param guard of the bundle
     * @param pool empty: not those for a pool
     */
    record Key(String guard, Optional<String> pool) {

        static Key of(String guard) {
            return new Key(guard, Optional.empty());
        }

        /** The name of the threads. */
        String name() {
            return pool.map(own -> guard + "-pool-" + own).orElse(guard);
        }

        /** For people. */
        String words() {
            return pool.map(own -> " for pool " + own).orElse("");
        }
    }

    final Key key;
    final GuardThreads threads;
    /** Accepted, and neither returned nor given up. */
    int calls;

    int abandoned;
    /** No policy is left: ends with the last call. */
    boolean ending;

    Bulkhead(Key key, GuardThreads threads) {
        this.key = key;
        this.threads = threads;
    }
}
