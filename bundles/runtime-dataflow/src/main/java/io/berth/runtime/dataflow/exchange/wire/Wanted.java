package io.berth.runtime.dataflow.exchange.wire;

import io.berth.core.api.task.PartitionId;
import java.util.Optional;

/**
 * What a channel reads: the parts {@code [first, first + count)} of a partition.
 *
 * @param stored whether the partition is complete and stored on the worker that produced it
 */
public record Wanted(PartitionId partition, int first, int count, boolean stored) {

    /** One part of a partition that its task sends while it runs. */
    public Wanted(PartitionId partition, int part) {
        this(partition, part, 1, false);
    }

    /** The name of the partition in messages. */
    public String name() {
        return partition.toString();
    }

    /** The partition that is lost when it cannot be read; empty if its task can send it again only by running again. */
    public Optional<PartitionId> lost() {
        return stored ? Optional.of(partition) : Optional.empty();
    }
}
