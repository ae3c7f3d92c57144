package io.berth.client;

import java.util.Locale;

/** How an edge distributes records to the tasks of its consumer. */
public enum Partitioning {
    /** To the task of the same number; both vertices run at the same parallelism, in one task if possible. */
    FORWARD,
    /** To one task after the other. */
    REBALANCE,
    /** By key: equal keys go to the same task. */
    HASH,
    /** Each record to all tasks. */
    BROADCAST;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
