package io.berth.core.policies.guard;

/** The calls into one bundle. Guarded by the lock of the guard. */
final class Bulkhead {

    final String name;
    final GuardThreads threads;
    /** Accepted, and neither returned nor given up. */
    int calls;

    int abandoned;
    /** No policy is left: ends with the last call. */
    boolean ending;

    Bulkhead(String name, GuardThreads threads) {
        this.name = name;
        this.threads = threads;
    }
}
