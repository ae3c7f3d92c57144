package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** All channels that a task reads, in the order in which their buffers arrive. Only the thread of the task reads it. */
public final class InputGate {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ArrayDeque<InputChannel> ready = new ArrayDeque<>();
    private final List<InputChannel> channels = new ArrayList<>();
    private String failure = "";
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

    /** The number of channels; their indexes are below it. */
    public int channels() {
        return channels.size();
    }

    /** Starts the flow. */
    public void open() {
        channels.forEach(InputChannel::open);
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

    void fail(String reason) {
        lock.lock();
        try {
            if (failure.isEmpty()) {
                failure = reason;
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
                    throw new ExchangeException(failure);
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
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        channels.forEach(InputChannel::close);
    }

    /** Receives what the gate reads. */
    public interface Reader {

        /** A buffer of records, valid during the call. */
        void buffer(int channel, NetworkBuffer buffer);

        /** A channel has ended. */
        void end(int channel);
    }
}
