package io.berth.runtime.dataflow.exchange.buffer;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The network memory of a worker: a fixed number of buffers, allocated on demand and kept. A channel reserves its
 * minimum when it opens, so a blocked channel never starves another one. A small share of the buffers can be reserved
 * for reading stored results only, so that these and the channels of tasks never take the minimum of each other. A
 * quarter of the buffers is never reserved.
 * It is shared by dynamic thresholds (Choudhury and Hahne): a channel may borrow while it has borrowed less than what
 * is left. So the first channels cannot take everything, and busy channels end up with about the same number of
 * buffers. Thread-safe.
 */
public final class BufferPool {

    /** Each end of a channel reserves this number of buffers. */
    public static final int MIN_BUFFERS = 2;

    /** One buffer of so many is for stored results. */
    private static final int RESULTS_SHARE = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NetworkBuffer> free = new ArrayDeque<>();
    private final int total;
    private final int shared;
    private final Part channels;
    private final Part results;
    private int lent;
    private int made;

    /** A pool of {@code memoryBytes}, at least 16 buffers. */
    public BufferPool(long memoryBytes) {
        this.total = (int) Math.max(16, Math.min(Integer.MAX_VALUE, memoryBytes / NetworkBuffer.CAPACITY));
        this.shared = total / 4;
        this.results = new Part(Math.max(2 * MIN_BUFFERS, total / RESULTS_SHARE));
        this.channels = new Part(total - shared - results.size);
    }

    /** Buffers that one kind of lease can reserve. Guarded by the lock of the pool. */
    static final class Part {
        private final int size;
        private int reserved;

        private Part(int size) {
            this.size = size;
        }

        private int left() {
            return size - reserved;
        }
    }

    /**
     * Reserves {@code minimum} buffers for a channel of a task. The lease borrows further ones, up to {@code most} in
     * total.
     *
     * @throws NetworkMemoryException when fewer than the minimum are left
     */
    public BufferLease lease(String holder, int minimum, int most) {
        lock.lock();
        try {
            int left = channels.left();
            if (left < minimum) {
                throw new NetworkMemoryException("network memory of this worker is used up: " + holder + " needs "
                        + minimum + " buffers of " + NetworkBuffer.CAPACITY / 1024 + " KiB, but " + left + " of the "
                        + channels.size + " that channels can reserve are left. An all-to-all edge of parallelism P"
                        + " needs them P times for each of its tasks: lower the parallelism, use fewer slots a worker,"
                        + " or raise network.memory.bytes on the workers");
            }
            channels.reserved += minimum;
        } finally {
            lock.unlock();
        }
        return new BufferLease(this, channels, minimum, most);
    }

    /**
     * Like {@link #lease}, for reading a stored result, of the buffers that are kept for that. Empty when they are all
     * reserved.
     */
    public Optional<BufferLease> leaseForResult(int minimum, int most) {
        lock.lock();
        try {
            if (results.left() < minimum) {
                return Optional.empty();
            }
            results.reserved += minimum;
        } finally {
            lock.unlock();
        }
        return Optional.of(new BufferLease(this, results, minimum, most));
    }

    /** Whether a lease that has borrowed {@code borrowed} buffers gets another one. */
    boolean lend(int borrowed) {
        lock.lock();
        try {
            boolean granted = borrowed < shared - lent;
            lent += granted ? 1 : 0;
            return granted;
        } finally {
            lock.unlock();
        }
    }

    /** Takes the buffer back if a lease that has borrowed {@code borrowed} buffers has more than its share. */
    boolean takeBack(NetworkBuffer buffer, int borrowed) {
        lock.lock();
        try {
            // One more than what it could borrow again at once; otherwise it would come and go with each buffer.
            boolean taken = borrowed > shared - lent + 1;
            if (taken) {
                lent--;
                free.addFirst(buffer);
            }
            return taken;
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

    void giveBack(Iterable<NetworkBuffer> buffers, Part part, int fromReserved, int fromLent) {
        lock.lock();
        try {
            buffers.forEach(free::addFirst);
            part.reserved -= fromReserved;
            lent -= fromLent;
        } finally {
            lock.unlock();
        }
    }

    /** How many leases of {@link #MIN_BUFFERS} the pool has room for, for channels of tasks. */
    public int maxLeases() {
        return channels.size / MIN_BUFFERS;
    }

    /** How many stored results can be read at the same time, with {@link #MIN_BUFFERS} each. */
    public int maxResultLeases() {
        return results.size / MIN_BUFFERS;
    }

    /** The maximum number of buffers of the pool. */
    public int total() {
        return total;
    }

    /** Whether every buffer was returned and nothing is leased. */
    public boolean isWhole() {
        lock.lock();
        try {
            return channels.reserved == 0 && results.reserved == 0 && lent == 0 && free.size() == made;
        } finally {
            lock.unlock();
        }
    }
}
