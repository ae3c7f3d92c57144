package io.berth.spi.scaling;

/** How an edge distributes records. Kinds may be added, so a {@code switch} needs a default. */
public enum EdgeKind {
    /** To the task with the same index: both ends always have the same parallelism. */
    FORWARD,
    /** In turn to all tasks of the consumer. */
    REBALANCE,
    /** By the key of the record: all records of a key go to one task. */
    HASH,
    /** Each record to all tasks of the consumer. */
    BROADCAST
}
