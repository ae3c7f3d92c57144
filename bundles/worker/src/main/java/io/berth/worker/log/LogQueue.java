package io.berth.worker.log;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Text on its way to the disk. It holds a bounded number of bytes and items. When it is full, a caller that may wait does so for a
 * short time, and only until the disk has once not kept up; after that text is dropped and counted until there is room
 * again. Thread-safe.
 */
final class LogQueue {

    /** How many bytes wait at most. */
    static final int MAX_BYTES = 1 << 20;

    /** The largest number of bytes of one item. */
    static final int MAX_ITEM_BYTES = 64 << 10;

    /** How many items wait at most: each has a cost of its own. */
    static final int MAX_ITEMS = 16 << 10;

    private static final long QUIET_NANOS = TimeUnit.MINUTES.toNanos(10);
    private static final long WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long FLUSH_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition work = lock.newCondition();
    private final Condition room = lock.newCondition();
    private final Map<LogFile, Long> dropped = new HashMap<>();
    private List<Item> items = new ArrayList<>();
    private long bytes;
    /** Items that were added and are not yet written. */
    private int waiting;

    private long written;
    private boolean stalled;
    private boolean closed;

    /**
     * Text for one log.
     *
     * @param dropped how many bytes were dropped before the text
     * @param last whether nothing follows
     */
    record Item(LogFile log, ByteArrayOutputStream text, long dropped, boolean last) {}

    /**
     * Adds text. It is copied.
     *
     * @param patient whether the caller waits when there is no room
     * @return whether the log has not ended yet; what is added later is not taken
     */
    boolean add(LogFile log, byte[] text, int from, int length, boolean patient) {
        boolean taken = true;
        for (int at = from; taken && at < from + length; at += MAX_ITEM_BYTES) {
            taken = addPiece(log, text, at, Math.min(MAX_ITEM_BYTES, from + length - at), patient) || at > from;
        }
        return taken;
    }

    private boolean addPiece(LogFile log, byte[] text, int from, int length, boolean patient) {
        lock.lock();
        try {
            if (patient) {
                awaitRoom(length);
            }
            if (log.hasEnded()) {
                return false;
            }
            if (closed || isFull(length)) {
                dropped.merge(log, (long) length, Long::sum);
                return true;
            }
            bytes += length;
            Item newest = items.isEmpty() ? null : items.get(items.size() - 1);
            if (newest != null
                    && newest.log() == log
                    && !newest.last()
                    && newest.text().size() + length <= MAX_ITEM_BYTES
                    && !dropped.containsKey(log)) {
                newest.text().write(text, from, length);
                return true;
            }
            ByteArrayOutputStream copy = new ByteArrayOutputStream(length);
            copy.write(text, from, length);
            items.add(new Item(log, copy, takeDropped(log), false));
            waiting++;
            work.signal();
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void awaitRoom(int length) {
        long left = WAIT_NANOS;
        try {
            while (!closed && !stalled && isFull(length)) {
                left = room.awaitNanos(left);
                stalled = left <= 0 && isFull(length);
            }
        } catch (InterruptedException canceled) {
            // The task is to end: it must not wait, and must notice.
            Thread.currentThread().interrupt();
        }
    }

    private boolean isFull(int length) {
        return bytes + length > MAX_BYTES || waiting >= MAX_ITEMS;
    }

    private long takeDropped(LogFile log) {
        Long count = dropped.remove(log);
        return count == null ? 0 : count;
    }

    /** Nothing follows for this log. */
    void end(LogFile log) {
        lock.lock();
        try {
            if (log.end() && !closed) {
                items.add(new Item(log, new ByteArrayOutputStream(0), takeDropped(log), true));
                waiting++;
                work.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Waits for items; empty when none come for some minutes, or when no more come. They count until {@link #written}. */
    List<Item> take() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = QUIET_NANOS;
            while (items.isEmpty() && !closed && left > 0) {
                left = work.awaitNanos(left);
            }
            List<Item> taken = items;
            items = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** An item has left: there is room. */
    void written(Item item) {
        lock.lock();
        try {
            bytes -= item.text().size();
            waiting--;
            written++;
            stalled = false;
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until all that was added before is written, at most half a second. */
    void flush() {
        lock.lock();
        try {
            long last = written + waiting;
            long left = FLUSH_NANOS;
            while (!closed && written < last && left > 0) {
                left = room.awaitNanos(left);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }

    /** Whether no more items come. */
    boolean isFinished() {
        lock.lock();
        try {
            return closed && items.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more. What is there can still be taken. */
    void close() {
        lock.lock();
        try {
            closed = true;
            work.signalAll();
            room.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
