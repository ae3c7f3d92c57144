package io.berth.runtime.dataflow.exchange.output;

import io.berth.core.api.task.PartitionId;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import io.berth.runtime.dataflow.exchange.buffer.NetworkMemoryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** The output of a task for one edge: one {@link Subpartition} for each consumer. Thread-safe. */
public final class ResultPartition implements Partition {

    private final PartitionId id;
    private final List<Subpartition> parts;
    private final AtomicInteger unread;
    private final CompletableFuture<Void> drained = new CompletableFuture<>();

    /**
     * Leases the buffers of all parts.
     *
     * @param buffers that each part leases if the pool has them
     * @throws NetworkMemoryException when there is not enough network memory
     */
    public ResultPartition(PartitionId id, int count, BufferPool pool, int buffers) {
        this.id = id;
        this.unread = new AtomicInteger(count);
        List<BufferLease> leases = new ArrayList<>();
        List<Subpartition> made = new ArrayList<>();
        try {
            for (int i = 0; i < count; i++) {
                BufferLease lease = pool.lease("partition " + id, BufferPool.MIN_BUFFERS, buffers);
                leases.add(lease);
                made.add(new Subpartition(lease, this::partConsumed));
            }
        } catch (NetworkMemoryException e) {
            leases.forEach(BufferLease::close);
            throw e;
        }
        this.parts = List.copyOf(made);
    }

    @Override
    public PartitionId id() {
        return id;
    }

    @Override
    public int count() {
        return parts.size();
    }

    @Override
    public boolean isStored() {
        return false;
    }

    @Override
    public Optional<ChannelSource> source(int first, int count) {
        return count == 1 && first >= 0 && first < parts.size() ? Optional.of(parts.get(first)) : Optional.empty();
    }

    public Subpartition part(int index) {
        return parts.get(index);
    }

    private void partConsumed() {
        if (unread.decrementAndGet() == 0) {
            drained.complete(null);
        }
    }

    /** Completes when all consumers have received the end. */
    public CompletionStage<Void> drained() {
        return drained.minimalCompletionStage();
    }

    public void release(String reason) {
        parts.forEach(part -> part.release(reason));
    }
}
