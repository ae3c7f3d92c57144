package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.wire.ProtocolException;
import io.berth.runtime.dataflow.exchange.wire.Wanted;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A channel from another worker. Its lease has as many buffers as it grants credit, so the network thread always finds
 * room for what the producer may send. The lease grows and shrinks with each buffer that was read. The thread of the
 * task polls and recycles; the event loop of the connection fills.
 */
public final class RemoteChannel implements InputChannel, NetworkBuffer.Owner {

    private final ReentrantLock lock = new ReentrantLock();
    private final ArrayDeque<NetworkBuffer> queue = new ArrayDeque<>();
    private final InputGate gate;
    private final int index;
    private final ExchangeClient client;
    private final String address;
    private final Wanted wanted;

    @SuppressWarnings("NullAway.Init")
    private BufferLease lease;

    @SuppressWarnings("NullAway.Init")
    private ClientConnection connection;

    private int id;
    private boolean leased;
    private boolean closed;
    private boolean ended;
    private int unannounced;

    /** A channel that needs buffers before it is opened. */
    public RemoteChannel(InputGate gate, int index, ExchangeClient client, String address, Wanted wanted) {
        this.gate = gate;
        this.index = index;
        this.client = client;
        this.address = address;
        this.wanted = wanted;
    }

    /** Receives into these buffers, which the channel closes. Before it is opened. */
    public void use(BufferLease buffers) {
        boolean late;
        lock.lock();
        try {
            late = closed;
            lease = buffers;
            leased = true;
        } finally {
            lock.unlock();
        }
        if (late) {
            buffers.close();
            return;
        }
        while (buffers.grow()) {
            // As much as the network memory of the worker allows.
        }
    }

    @Override
    public boolean isStored() {
        return wanted.stored();
    }

    @Override
    public int index() {
        return index;
    }

    String address() {
        return address;
    }

    Wanted wanted() {
        return wanted;
    }

    int credit() {
        return lease.size();
    }

    @Override
    public void open() {
        client.open(this);
    }

    /** The connection has given the channel this id. False when the channel is already closed. */
    boolean opened(ClientConnection by, int withId) {
        lock.lock();
        try {
            connection = by;
            id = withId;
            return !closed;
        } finally {
            lock.unlock();
        }
    }

    /** Where to put the next buffer; null when the channel is closed. */
    @Nullable
    NetworkBuffer destination() throws ProtocolException {
        lock.lock();
        try {
            if (closed) {
                return null;
            }
            NetworkBuffer buffer = lease.poll();
            if (buffer == null) {
                throw new ProtocolException("partition " + wanted.name() + " sent a buffer without credit");
            }
            return buffer;
        } finally {
            lock.unlock();
        }
    }

    void received(NetworkBuffer buffer) {
        lock.lock();
        try {
            if (closed) {
                buffer.recycle();
                return;
            }
            if (!buffer.isEvent()) {
                buffer.ownedBy(this);
            }
            ended |= buffer.isEvent();
            queue.addLast(buffer);
        } finally {
            lock.unlock();
        }
        gate.arrived(this, 1);
    }

    /** The producer or the connection to it is lost. Ignored once the end was received. */
    void lost(String peer, String reason) {
        lock.lock();
        try {
            if (closed || ended) {
                return;
            }
        } finally {
            lock.unlock();
        }
        gate.fail("partition " + wanted.name() + " of " + peer + ": " + reason, wanted.lost());
    }

    @Override
    public @Nullable NetworkBuffer poll() {
        lock.lock();
        try {
            return queue.pollFirst();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void recycle(NetworkBuffer buffer) {
        int more = lease.takeBack(buffer) ? lease.grow() ? 2 : 1 : 0;
        int granted = 0;
        lock.lock();
        try {
            unannounced += more;
            if (!closed && !ended && unannounced > 0 && unannounced * 2 >= lease.size()) {
                granted = unannounced;
                unannounced = 0;
            }
        } finally {
            lock.unlock();
        }
        if (granted > 0) {
            connection.grant(id, granted);
        }
    }

    @Override
    public void close() {
        ArrayDeque<NetworkBuffer> dropped;
        ClientConnection from;
        boolean owns;
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            owns = leased;
            dropped = new ArrayDeque<>(queue);
            queue.clear();
            from = connection;
        } finally {
            lock.unlock();
        }
        dropped.forEach(NetworkBuffer::recycle);
        if (owns) {
            lease.close();
        }
        if (from != null) {
            from.close(id, !ended);
        }
    }

    /** The end of the channel was read: closes it, and leaves its buffers to another one. */
    @Override
    public Optional<BufferLease> handOver() {
        lock.lock();
        try {
            if (closed || !leased) {
                return Optional.empty();
            }
            leased = false;
        } finally {
            lock.unlock();
        }
        close();
        return Optional.of(lease);
    }
}
