package io.berth.runtime.dataflow.exchange.result;

import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.EventKind;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.output.ChannelSource;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One reading of some parts of a stored result. A thread of the pool fills the free buffers of its lease, and goes on
 * when the consumer has returned one. Thread-safe; one thread at a time reads.
 */
final class StoredChannel implements ChannelSource, NetworkBuffer.Owner {

    /** Buffers that are filled before other channels have their turn. */
    private static final int TURN = 16;

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NetworkBuffer> queue = new ArrayDeque<>();
    private final StoredResult result;
    private final RunCursor cursor;
    private final ResultReads reads;
    private Optional<BufferLease> lease = Optional.empty();
    private Consumer consumer = Consumer.NOBODY;
    private boolean attached;
    private boolean scheduled;
    /** Nothing is left to read. */
    private boolean done;

    private boolean closed;

    StoredChannel(StoredResult result, int first, int count, ResultReads reads) {
        this.result = result;
        this.cursor = new RunCursor(result, first, count);
        this.reads = reads;
    }

    @Override
    public boolean attach(Consumer newConsumer) {
        lock.lock();
        try {
            if (attached) {
                return false;
            }
            attached = true;
            consumer = newConsumer;
        } finally {
            lock.unlock();
        }
        if (result.file().isEmpty()) {
            end();
        } else {
            reads.admit(this);
        }
        return true;
    }

    /** It has buffers now. False if it needs none any longer. */
    boolean admitted(BufferLease buffers) {
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            lease = Optional.of(buffers);
            schedule();
        } finally {
            lock.unlock();
        }
        return true;
    }

    private void schedule() {
        if (!scheduled && !done && !closed) {
            scheduled = true;
            reads.execute(this);
        }
    }

    /** One turn of a reading thread. */
    void read(RunCursor.Scratch scratch) {
        Path path = result.file().orElseThrow();
        try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
            for (int i = 0; i < TURN; i++) {
                NetworkBuffer buffer = nextBuffer();
                if (buffer == null) {
                    return;
                }
                boolean filled = false;
                try {
                    filled = cursor.fill(file, buffer, scratch);
                } finally {
                    if (!filled) {
                        buffer.recycle();
                    }
                }
                if (!filled) {
                    end();
                    return;
                }
                add(buffer);
            }
            reads.execute(this);
        } catch (NoSuchFileException gone) {
            fail("its result was released while it was read");
        } catch (StoredResult.DamagedResultException damaged) {
            reads.damaged(result, damaged);
            fail(String.valueOf(damaged.getMessage()));
        } catch (IOException | RuntimeException failure) {
            fail("file " + path + " cannot be read: " + failure);
        }
    }

    private @Nullable NetworkBuffer nextBuffer() {
        lock.lock();
        try {
            BufferLease own = lease.orElseThrow();
            NetworkBuffer buffer = closed ? null : own.poll();
            if (buffer == null && !closed && own.grow()) {
                buffer = own.poll();
            }
            if (buffer == null) {
                scheduled = false;
            } else {
                buffer.ownedBy(this);
            }
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    private void add(NetworkBuffer element) {
        Consumer notified;
        boolean dropped;
        lock.lock();
        try {
            dropped = closed;
            notified = consumer;
            if (!dropped) {
                queue.addLast(element);
            }
        } finally {
            lock.unlock();
        }
        if (!dropped) {
            notified.available(1);
        } else if (!element.isEvent()) {
            element.recycle();
        }
    }

    private void end() {
        lock.lock();
        try {
            done = true;
        } finally {
            lock.unlock();
        }
        add(NetworkBuffer.event(EventKind.END_OF_PARTITION));
    }

    private void fail(String reason) {
        Consumer notified;
        lock.lock();
        try {
            done = true;
            notified = consumer;
        } finally {
            lock.unlock();
        }
        close();
        notified.failed(reason);
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
    public void recycle(NetworkBuffer buffer) {
        boolean wasClosed;
        lock.lock();
        try {
            lease.orElseThrow().recycle(buffer);
            wasClosed = closed;
            schedule();
        } finally {
            lock.unlock();
        }
        if (wasClosed) {
            reads.admitWaiting();
        }
    }

    @Override
    public void consumed() {
        close();
    }

    @Override
    public void detach() {
        close();
    }

    private void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            consumer = Consumer.NOBODY;
            lease.ifPresent(own -> {
                queue.stream().filter(element -> !element.isEvent()).forEach(own::recycle);
                own.close();
            });
            queue.clear();
        } finally {
            lock.unlock();
        }
        reads.closed(this);
    }
}
