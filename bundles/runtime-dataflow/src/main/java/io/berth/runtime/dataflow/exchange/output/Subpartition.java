package io.berth.runtime.dataflow.exchange.output;

import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The producer's end of one channel: filled buffers in order, read by one consumer. The producer blocks when all
 * buffers of the lease are filled or being sent, so it never holds more than {@link #bound} bytes. Thread-safe.
 */
public final class Subpartition implements ChannelSource {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NetworkBuffer> queue = new ArrayDeque<>();
    private final BufferLease lease;
    private final Runnable whenConsumed;
    private Consumer consumer = Consumer.NOBODY;
    private boolean attached;
    private boolean consumed;
    private String failure = "";

    Subpartition(BufferLease lease, Runnable whenConsumed) {
        this.lease = lease;
        this.whenConsumed = whenConsumed;
    }

    /** The maximum number of record bytes that this end holds. */
    public long bound() {
        return (long) lease.most() * NetworkBuffer.CAPACITY;
    }

    /** Bytes in buffers that are being filled, queued, or sent to the consumer. */
    public long bufferedBytes() {
        return (long) lease.used() * NetworkBuffer.CAPACITY;
    }

    /** @param wait counts the time until a buffer is free */
    NetworkBuffer take(WaitTimes.Wait wait) throws InterruptedException {
        return lease.take(wait);
    }

    void add(NetworkBuffer buffer) {
        Consumer notified;
        lock.lock();
        try {
            if (!failure.isEmpty()) {
                buffer.recycle();
                throw new ReleasedException(failure);
            }
            queue.addLast(buffer);
            notified = consumer;
        } finally {
            lock.unlock();
        }
        notified.available(1);
    }

    @Override
    public boolean attach(Consumer newConsumer) {
        int waiting;
        String failed;
        lock.lock();
        try {
            if (attached) {
                return false;
            }
            attached = true;
            consumer = newConsumer;
            waiting = queue.size();
            failed = failure;
        } finally {
            lock.unlock();
        }
        if (!failed.isEmpty()) {
            newConsumer.failed(failed);
        } else if (waiting > 0) {
            newConsumer.available(waiting);
        }
        return true;
    }

    /** The producer blocks once its buffers are full, until it is canceled. */
    @Override
    public void detach() {
        lock.lock();
        try {
            consumer = Consumer.NOBODY;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public @Nullable NetworkBuffer poll(boolean credit) {
        lock.lock();
        try {
            NetworkBuffer first = queue.peekFirst();
            return first == null || !credit && !first.isEvent() ? null : queue.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void consumed() {
        lock.lock();
        try {
            if (consumed) {
                return;
            }
            consumed = true;
        } finally {
            lock.unlock();
        }
        whenConsumed.run();
    }

    /** Drops queued buffers and returns them. A consumer that has not received the end gets the reason. */
    void release(String reason) {
        Consumer notified;
        lock.lock();
        try {
            if (!failure.isEmpty()) {
                return;
            }
            failure = reason;
            notified = consumed ? Consumer.NOBODY : consumer;
            queue.forEach(NetworkBuffer::recycle);
            queue.clear();
        } finally {
            lock.unlock();
        }
        lease.close();
        notified.failed(reason);
    }
}
