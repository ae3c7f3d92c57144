package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.time.Pools;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.BufferPool;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;

/**
 * The threads that read stored results, and the network memory that they read into. The control plane does not know
 * how many results are read at a time, so reading reserves only buffers that are kept for it: the channels of tasks have
 * all that the worker has announced. A channel that finds none waits until another one ends. Thread-safe.
 */
final class ResultReads implements AutoCloseable {

    private final Object lock = new Object();
    private final ArrayDeque<StoredChannel> waiting = new ArrayDeque<>();
    private final BufferPool pool;
    private final int buffersPerChannel;
    private final ExecutorService threads;
    private final ThreadLocal<RunCursor.Scratch> scratch = ThreadLocal.withInitial(RunCursor.Scratch::new);
    private final BiConsumer<StoredResult, StoredResult.DamagedResultException> whenDamaged;

    ResultReads(
            BufferPool pool,
            int buffersPerChannel,
            int threads,
            BiConsumer<StoredResult, StoredResult.DamagedResultException> whenDamaged) {
        this.pool = pool;
        this.buffersPerChannel = buffersPerChannel;
        this.threads = Pools.fixed("berth-runtime-dataflow-results", threads);
        this.whenDamaged = whenDamaged;
    }

    /** Gives the channel buffers, now or when there are some. */
    void admit(StoredChannel channel) {
        synchronized (lock) {
            waiting.addLast(channel);
        }
        admitWaiting();
    }

    /** Buffers may have become free. */
    void admitWaiting() {
        synchronized (lock) {
            while (!waiting.isEmpty()) {
                StoredChannel next = waiting.getFirst();
                Optional<BufferLease> lease = pool.leaseForResult(BufferPool.MIN_BUFFERS, buffersPerChannel);
                if (lease.isEmpty()) {
                    return;
                }
                waiting.removeFirst();
                if (!next.admitted(lease.get())) {
                    lease.get().close();
                }
            }
        }
    }

    void closed(StoredChannel channel) {
        synchronized (lock) {
            waiting.remove(channel);
        }
        admitWaiting();
    }

    /** Channels that wait for buffers. */
    int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    /** The channel reads on a thread of the pool. */
    void execute(StoredChannel channel) {
        execute(() -> channel.read(scratch.get()));
    }

    /** Work on files that may take its time. */
    void execute(Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException closed) {
            // The exchange ends: its folder is deleted, and its peers notice that the connection is gone.
        }
    }

    void damaged(StoredResult result, StoredResult.DamagedResultException damage) {
        whenDamaged.accept(result, damage);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
