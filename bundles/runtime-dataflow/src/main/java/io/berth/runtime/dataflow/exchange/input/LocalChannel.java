package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.BufferLease;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.output.ChannelSource;
import io.berth.runtime.dataflow.exchange.output.Partition;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.runtime.dataflow.exchange.wire.Wanted;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A channel between two tasks of this worker. It takes the producer's buffers without a copy. */
public final class LocalChannel implements InputChannel, ChannelSource.Consumer {

    private final InputGate gate;
    private final int index;
    private final PartitionTable table;
    private final Wanted wanted;
    private final PartitionTable.Request request;

    @SuppressWarnings("NullAway.Init")
    private volatile ChannelSource source;

    private volatile boolean closed;

    public LocalChannel(InputGate gate, int index, PartitionTable table, Wanted wanted) {
        this.gate = gate;
        this.index = index;
        this.table = table;
        this.wanted = wanted;
        this.request = new PartitionTable.Request(this::found, this::failed);
    }

    @Override
    public boolean isStored() {
        return wanted.stored();
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public void open() {
        if (wanted.stored()) {
            table.requestStored(wanted.name(), request);
        } else {
            table.request(wanted.name(), request);
        }
    }

    private void found(Partition found) {
        Optional<ChannelSource> parts = found.source(wanted.first(), wanted.count());
        if (parts.isEmpty()) {
            failed("it has " + found.count() + " parts; " + wanted.count() + " from part " + wanted.first()
                    + " were requested");
            return;
        }
        source = parts.get();
        if (!source.attach(this)) {
            failed("part " + wanted.first() + " already has a consumer");
        } else if (closed) {
            source.detach();
        }
    }

    @Override
    public void available(int elements) {
        gate.arrived(this, elements);
    }

    @Override
    public void failed(String reason) {
        gate.fail("partition " + wanted.name() + " of this worker: " + reason, wanted.lost());
    }

    @Override
    public @Nullable NetworkBuffer poll() {
        NetworkBuffer buffer = source.poll(true);
        if (buffer != null && buffer.isEvent()) {
            source.consumed();
        }
        return buffer;
    }

    @Override
    public Optional<BufferLease> handOver() {
        return Optional.empty();
    }

    @Override
    public void close() {
        closed = true;
        table.forget(wanted.name(), request);
        ChannelSource from = source;
        if (from != null) {
            from.detach();
        }
    }
}
