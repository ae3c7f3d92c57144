package io.berth.runtime.dataflow.exchange.buffer;

import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network memory of a worker: a fixed number of buffers, made on demand and kept. Channels lease a number of them
 * when they open, so a channel that stands still holds no more than its lease and starves no other. For any thread.
 */
public final class BufferPool {

    /** Each end of a channel leases at least this number of buffers. */
    public static final int MIN_BUFFERS = 2;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NetworkBuffer> free = new ArrayDeque<>();
    private final int total;
    private int leased;
    private int made;

    /** A pool of {@code memoryBytes}, at least 16 buffers. */
    public BufferPool(long memoryBytes) {
        this.total = (int) Math.max(16, Math.min(Integer.MAX_VALUE, memoryBytes / NetworkBuffer.CAPACITY));
    }

    /**
     * Leases between {@code minimum} and {@code desired} buffers.
     *
     * @throws NetworkMemoryException when fewer than the minimum are left
     */
    public BufferLease lease(String holder, int minimum, int desired) {
        lock.lock();
        try {
            int granted = Math.min(desired, total - leased);
            if (granted < minimum) {
                throw new NetworkMemoryException("network memory of this worker is used up: " + holder + " needs "
                        + minimum
                        + " buffers of " + NetworkBuffer.CAPACITY / 1024 + " KiB, " + (total - leased) + " of " + total
                        + " are left; raise network.memory.bytes or lower the parallelism");
            }
            leased += granted;
            return new BufferLease(this, granted);
        } finally {
            lock.unlock();
        }
    }

    NetworkBuffer make() {
        lock.lock();
        try {
            NetworkBuffer buffer = free.pollFirst();
            if (buffer != null) {
                return buffer;
            }
            made++;
        } finally {
            lock.unlock();
        }
        return NetworkBuffer.allocate();
    }

    void giveBack(Iterable<NetworkBuffer> buffers, int leaseShrunkBy) {
        lock.lock();
        try {
            buffers.forEach(free::addFirst);
            leased -= leaseShrunkBy;
        } finally {
            lock.unlock();
        }
    }

    /** Buffers the pool may have. */
    public int total() {
        return total;
    }

    /** Buffers that no channel leases. */
    public int unleased() {
        lock.lock();
        try {
            return total - leased;
        } finally {
            lock.unlock();
        }
    }

    /** Whether every buffer ever made is back and nothing is leased. */
    public boolean isWhole() {
        lock.lock();
        try {
            return leased == 0 && free.size() == made;
        } finally {
            lock.unlock();
        }
    }
}
