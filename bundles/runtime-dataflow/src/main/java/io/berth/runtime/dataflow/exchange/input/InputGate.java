package io.berth.runtime.dataflow.exchange.input;

import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All channels that a task reads, in the order in which their buffers arrive. Those of running producers are open from
 * the start, because a producer blocks until it is read. Of those of stored partitions a bounded number is open at a
 * time, so that the network memory that a task needs does not depend on how many tasks have written them. Only the thread
 * of the task reads it.
 */
public final class InputGate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<InputChannel> ready = new ArrayDeque<>();
    private final List<InputChannel> channels = new ArrayList<>();
    /** Channels of stored partitions that are not open yet. */
    private final ArrayDeque<InputChannel> later = new ArrayDeque<>();
    /** For those of other workers. */
    private final ArrayDeque<BufferLease> spare = new ArrayDeque<>();

    private String failure = "";
    private Optional<PartitionId> lost = Optional.empty();
    private boolean closed;
    private int ended;

    private final WaitTimes.Wait wait;

    /** @param wait counts the time in which the reader waits for a buffer */
    public InputGate(WaitTimes.Wait wait) {
        this.wait = wait;
    }

    public void add(InputChannel channel) {
        channels.add(channel);
    }

    /** Buffers for channels of stored partitions of other workers: one for each that is open at the same time. */
    public void addBuffers(BufferLease buffers) {
        spare.addLast(buffers);
    }

    /** The number of channels; their indexes are below it. */
    public int channels() {
        return channels.size();
    }

    /** Starts the flow. */
    public void open() {
        open(0);
    }

    /**
     * Starts the flow.
     *
     * @param first the channel of a stored partition that is opened first: tasks that differ in it do not all read from
     *     one worker at the same time
     */
    public void open(int first) {
        List<InputChannel> stored = new ArrayList<>();
        for (InputChannel channel : channels) {
            if (channel.isStored()) {
                stored.add(channel);
            } else {
                channel.open();
            }
        }
        if (!stored.isEmpty()) {
            Collections.rotate(stored, -(first % stored.size()));
            later.addAll(stored);
        }
        for (int i = 0; i < RuntimeSettings.MAX_STORED_CHANNELS; i++) {
            openNext();
        }
    }

    private void openNext() {
        InputChannel next = later.pollFirst();
        if (next == null) {
            return;
        }
        if (next instanceof RemoteChannel remote) {
            BufferLease buffers;
            lock.lock();
            try {
                buffers = spare.pollFirst();
            } finally {
                lock.unlock();
            }
            if (buffers == null) {
                // The gate was closed.
                return;
            }
            remote.use(buffers);
        }
        next.open();
    }

    /** The next stored partition takes the place of one that was read. */
    private void wasRead(InputChannel channel) {
        channel.handOver().ifPresent(buffers -> {
            boolean late;
            lock.lock();
            try {
                late = closed || later.isEmpty();
                if (!late) {
                    spare.addLast(buffers);
                }
            } finally {
                lock.unlock();
            }
            if (late) {
                buffers.close();
            }
        });
        openNext();
    }

    void arrived(InputChannel channel, int elements) {
        lock.lock();
        try {
            for (int i = 0; i < elements; i++) {
                ready.addLast(channel);
            }
            changed.signal();
        } finally {
            lock.unlock();
        }
    }

    /** @param lostResult the stored partition that cannot be read */
    void fail(String reason, Optional<PartitionId> lostResult) {
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = reason;
                lost = lostResult;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Whether all channels have ended. */
    public boolean ended() {
        return ended == channels.size();
    }

    /**
     * Waits up to {@code nanos} for the next buffer of any channel and passes it to {@code reader}.
     *
     * @return whether something was read
     * @throws ExchangeException when a producer or the connection to it is lost
     */
    public boolean read(long nanos, Reader reader) throws InterruptedException {
        InputChannel channel = await(nanos);
        if (channel == null) {
            return false;
        }
        NetworkBuffer buffer = channel.poll();
        if (buffer == null) {
            return false;
        }
        if (buffer.isEvent()) {
            ended++;
            reader.end(channel.index());
            if (channel.isStored()) {
                wasRead(channel);
            }
            return true;
        }
        try {
            reader.buffer(channel.index(), buffer);
        } finally {
            buffer.recycle();
        }
        return true;
    }

    private InputChannel await(long nanos) throws InterruptedException {
        long left = nanos;
        lock.lockInterruptibly();
        try {
            while (true) {
                if (!failure.isEmpty()) {
                    throw new ExchangeException(failure, lost);
                }
                if (closed) {
                    throw new ReleasedException("the input was released");
                }
                InputChannel channel = ready.pollFirst();
                if (channel != null || left <= 0) {
                    return channel;
                }
                wait.begin();
                left = changed.awaitNanos(left);
            }
        } finally {
            wait.end();
            lock.unlock();
        }
    }

    /** Returns all buffers. */
    public void close() {
        List<BufferLease> unused;
        lock.lock();
        try {
            closed = true;
            unused = List.copyOf(spare);
            spare.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        channels.forEach(InputChannel::close);
        unused.forEach(BufferLease::close);
    }

    /** Receives what the gate reads. */
    public interface Reader {

        /** A buffer of records, valid during the call. */
        void buffer(int channel, NetworkBuffer buffer);

        /** A channel has ended. */
        void end(int channel);
    }
}
