package io.berth.runtime.dataflow.exchange.input;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.output.PartitionTable;
import io.berth.runtime.dataflow.exchange.output.ResultPartition;
import io.berth.runtime.dataflow.exchange.output.Subpartition;
import org.jspecify.annotations.Nullable;

/** A channel between two tasks of this worker. It takes the producer's buffers without a copy. */
public final class LocalChannel implements InputChannel, Subpartition.Consumer {

    private final InputGate gate;
    private final int index;
    private final PartitionTable table;
    private final String partition;
    private final int part;
    private final PartitionTable.Request request;

    @SuppressWarnings("NullAway.Init")
    private volatile Subpartition source;

    private volatile boolean closed;

    public LocalChannel(InputGate gate, int index, PartitionTable table, String partition, int part) {
        this.gate = gate;
        this.index = index;
        this.table = table;
        this.partition = partition;
        this.part = part;
        this.request = new PartitionTable.Request(this::found, this::failed);
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public void open() {
        table.request(partition, request);
    }

    private void found(ResultPartition found) {
        if (part >= found.count()) {
            failed("it has " + found.count() + " parts; part " + part + " was requested");
            return;
        }
        Subpartition wanted = found.part(part);
        source = wanted;
        if (!wanted.attach(this)) {
            failed("part " + part + " already has a consumer");
        } else if (closed) {
            wanted.detach();
        }
    }

    @Override
    public void available(int elements) {
        gate.arrived(this, elements);
    }

    @Override
    public void failed(String reason) {
        gate.fail("partition " + partition + " of this worker: " + reason);
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
    public void close() {
        closed = true;
        table.forget(partition, request);
        Subpartition from = source;
        if (from != null) {
            from.detach();
        }
    }
}
