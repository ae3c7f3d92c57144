package io.berth.runtime.dataflow.exchange.buffer;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The buffers of one end of a channel. When it is closed, buffers still in use go to the pool as they come back. For
 * any thread.
 */
public final class BufferLease implements NetworkBuffer.Owner {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition returned = lock.newCondition();
    private final ArrayDeque<NetworkBuffer> idle = new ArrayDeque<>();
    private final BufferPool pool;
    private final int size;
    private int used;
    private boolean closed;

    BufferLease(BufferPool pool, int size) {
        this.pool = pool;
        this.size = size;
    }

    public int size() {
        return size;
    }

    /** Buffers handed out and not back. */
    public int used() {
        lock.lock();
        try {
            return used;
        } finally {
            lock.unlock();
        }
    }

    /** A buffer; waits until one is back. */
    public NetworkBuffer take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            while (!closed && used == size) {
                returned.await();
            }
            if (closed) {
                throw new ReleasedException("the channel was released");
            }
            return hand();
        } finally {
            lock.unlock();
        }
    }

    /** A buffer, or null if all are in use or the lease is closed. */
    public NetworkBuffer poll() {
        lock.lock();
        try {
            return closed || used == size ? null : hand();
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
        lock.lock();
        try {
            used--;
            if (closed) {
                pool.giveBack(List.of(buffer), 1);
            } else {
                idle.addLast(buffer);
                returned.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    public void close() {
        lock.lock();
        try {
            if (!closed) {
                closed = true;
                pool.giveBack(idle, size - used);
                idle.clear();
                returned.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }
}
