package io.berth.runtime.dataflow.exchange.output;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.wire.ProtocolException;
import io.netty.channel.EventLoop;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * The producer's side of one channel over the network. Confined to the event loop of the connection, except for the
 * calls of {@link ChannelSource.Consumer}, which come from the producer's thread and post to the loop.
 */
final class OutboundChannel implements ChannelSource.Consumer {

    private static final int MAX_CREDIT = 4096;

    private final ServerConnection connection;
    private final EventLoop loop;
    private final int id;
    private final String partition;
    private final int first;
    private final int count;
    private final PartitionTable.Request request;
    private final AtomicBoolean posted = new AtomicBoolean();

    @SuppressWarnings("NullAway.Init")
    private volatile ChannelSource source;

    private volatile boolean detached;
    private int credit;
    private boolean ready;

    OutboundChannel(ServerConnection connection, EventLoop loop, int id, String partition, int first, int count) {
        this.connection = connection;
        this.loop = loop;
        this.id = id;
        this.partition = partition;
        this.first = first;
        this.count = count;
        this.request = new PartitionTable.Request(this::found, this::failed);
    }

    int id() {
        return id;
    }

    String partition() {
        return partition;
    }

    PartitionTable.Request request() {
        return request;
    }

    void addCredit(int amount) throws ProtocolException {
        if (amount < 0 || amount > MAX_CREDIT || credit + amount > MAX_CREDIT) {
            throw new ProtocolException("credit of channel " + id + " for partition " + partition + " is " + credit
                    + ", and " + amount + " more; allowed: up to " + MAX_CREDIT);
        }
        credit += amount;
    }

    private void found(Partition found) {
        Optional<ChannelSource> parts = found.source(first, count);
        if (parts.isEmpty()) {
            failed("partition " + partition + " has " + found.count() + " parts; "
                    + (count == 1 ? "part " + first : count + " parts from " + first) + " was requested");
            return;
        }
        ChannelSource wanted = parts.get();
        source = wanted;
        if (!wanted.attach(this)) {
            failed("part " + first + " of partition " + partition + " already has a consumer");
        } else if (detached) {
            wanted.detach();
        }
    }

    @Override
    public void available(int elements) {
        if (posted.compareAndSet(false, true)) {
            loop.execute(() -> {
                posted.set(false);
                connection.enqueue(this);
            });
        }
    }

    @Override
    public void failed(String reason) {
        loop.execute(() -> connection.refuse(this, reason));
    }

    /** Whether this changed anything. */
    boolean setReady(boolean now) {
        boolean changed = ready != now;
        ready = now;
        return changed;
    }

    /** What to send next, or null when there is nothing or no credit. */
    @Nullable
    NetworkBuffer next() {
        ChannelSource from = source;
        if (from == null) {
            return null;
        }
        NetworkBuffer buffer = from.poll(credit > 0);
        if (buffer != null && !buffer.isEvent()) {
            credit--;
        }
        return buffer;
    }

    void endSent() {
        source.consumed();
    }

    void detach() {
        detached = true;
        ChannelSource from = source;
        if (from != null) {
            from.detach();
        }
    }
}
