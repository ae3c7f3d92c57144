package io.berth.runtime.dataflow.exchange.output;

import io.berth.core.api.task.PartitionId;
import java.util.Optional;

/** The output of a task for one edge, as consumers find it. Thread-safe. */
public interface Partition {

    PartitionId id();

    /** The number of its parts. */
    int count();

    /** Whether it is complete and stored, so that it can be read at any time and again. */
    boolean isStored();

    /** A source of the parts {@code [first, first + count)}; empty if it cannot be read so. */
    Optional<ChannelSource> source(int first, int count);
}
