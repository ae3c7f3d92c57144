package io.berth.runtime.dataflow.exchange.buffer;

import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of one end of a channel: its reserved ones, and borrowed ones that it returns when other channels need
 * them. When the lease is closed, buffers still in use go to the pool when they are returned. Thread-safe.
 */
public final class BufferLease implements NetworkBuffer.Owner {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();
    private final ArrayDeque<NetworkBuffer> idle = new ArrayDeque<>();
    private final BufferPool pool;
    private final BufferPool.Part part;
    private final int minimum;
    private final int most;
    private int borrowed;
    private int used;
    private boolean closed;

    BufferLease(BufferPool pool, BufferPool.Part part, int minimum, int most) {
        this.pool = pool;
        this.part = part;
        this.minimum = minimum;
        this.most = most;
    }

    /** The current number of buffers. */
    public int size() {
        lock.lock();
        try {
            return minimum + borrowed;
        } finally {
            lock.unlock();
        }
    }

    /** The maximum number of buffers. */
    public int most() {
        return most;
    }

    /** Borrows another buffer. False when the lease has its maximum or its share. */
    public boolean grow() {
        lock.lock();
        try {
            boolean grown = !closed && minimum + borrowed < most && pool.lend(borrowed);
            borrowed += grown ? 1 : 0;
            return grown;
        } finally {
            lock.unlock();
        }
    }

    /** Buffers that are in use. */
    public int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /**
     * Returns a buffer. Borrows one when all are in use, or waits until one is returned.
     *
     * @param wait counts the time of the wait
     */
    public NetworkBuffer take(WaitTimes.Wait wait) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!closed && used == minimum + borrowed && !grow()) {
                awaitReturn(wait);
            }
            if (closed) {
                throw new ReleasedException("the channel was released");
            }
            return hand();
        } finally {
            lock.unlock();
        }
    }

    private void awaitReturn(WaitTimes.Wait wait) throws InterruptedException {
        wait.begin();
        try {
            do {
                returned.await();
            } while (!closed && used == minimum + borrowed && !grow());
        } finally {
            wait.end();
        }
    }

    /** Returns a buffer, or null if all are in use or the lease is closed. */
    public @Nullable NetworkBuffer poll() {
        lock.lock();
        try {
            return closed || used == minimum + borrowed ? null : hand();
        } finally {
            lock.unlock();
        }
    }

    private NetworkBuffer hand() {
        NetworkBuffer buffer = idle.pollLast();
        if (buffer == null) {
            buffer = pool.make();
        }
        used++;
        buffer.ownedBy(this);
        return buffer;
    }

    @Override
    public void recycle(NetworkBuffer buffer) {
        takeBack(buffer);
    }

    /** Takes back a buffer that was in use. False when it goes to the pool and the lease has one less. */
    public boolean takeBack(NetworkBuffer buffer) {
        lock.lock();
        try {
            used--;
            if (closed) {
                pool.giveBack(List.of(buffer), part, borrowed > 0 ? 0 : 1, borrowed > 0 ? 1 : 0);
                borrowed -= borrowed > 0 ? 1 : 0;
                return false;
            }
            if (borrowed > 0 && pool.takeBack(buffer, borrowed)) {
                borrowed--;
                return false;
            }
            idle.addLast(buffer);
            returned.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                int unused = minimum + borrowed - used;
                int unusedBorrowed = Math.min(borrowed, unused);
                pool.giveBack(idle, part, unused - unusedBorrowed, unusedBorrowed);
                borrowed -= unusedBorrowed;
                idle.clear();
                returned.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
