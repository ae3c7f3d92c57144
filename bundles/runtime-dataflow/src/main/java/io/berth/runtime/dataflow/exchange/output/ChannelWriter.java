package io.berth.runtime.dataflow.exchange.output;

import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.exchange.buffer.EventKind;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.exchange.buffer.ReleasedException;
import io.berth.runtime.dataflow.measure.WaitTimes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes records into the buffers of one part of a partition. The serializer writes directly into the buffer, and a
 * record that does not fit continues in the next one. It takes one lock per buffer, none per record. Confined to the
 * thread of the task.
 */
final class ChannelWriter<T> implements RecordOutput.Owner {

    private static final byte[] NONE = new byte[0];

    private final Subpartition part;
    private final Serializer<T> serializer;
    private final WaitTimes.Wait wait;
    private final RecordOutput out = new RecordOutput(this);
    private @Nullable NetworkBuffer current;
    private int head;
    private int recordStart;
    private boolean continued;
    private int spanned;

    /** @param wait of the task, for a free buffer */
    ChannelWriter(Subpartition part, Serializer<T> serializer, WaitTimes.Wait wait) {
        this.part = part;
        this.serializer = serializer;
        this.wait = wait;
    }

    void write(T record) {
        recordStart = out.position();
        serializer.write(record, out);
        if (continued) {
            head = out.position() - NetworkBuffer.BASE;
            span(head);
            spanned = 0;
            continued = false;
        } else if (out.position() == recordStart) {
            throw new IllegalStateException(
                    serializer.getClass().getName() + " wrote no byte; a record must have at least one");
        }
    }

    @Override
    public void full(RecordOutput output) {
        if (current != null) {
            int length = output.position() - NetworkBuffer.BASE;
            if (continued) {
                span(length);
                hand(length, 0, 0);
            } else {
                int tail = recordStart - NetworkBuffer.BASE;
                hand(length, head, tail);
                continued = tail < length;
                spanned = length - tail;
            }
        }
        try {
            current = part.take(wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ReleasedException("interrupted while waiting for a free buffer");
        }
        head = 0;
        recordStart = NetworkBuffer.BASE;
        output.attach(current.array(), NetworkBuffer.BASE, current.array().length);
    }

    private void span(int bytes) {
        spanned += bytes;
        if (spanned > NetworkBuffer.MAX_RECORD_BYTES) {
            throw new IllegalStateException("a record is longer than " + NetworkBuffer.MAX_RECORD_BYTES
                    + " bytes, the maximum of an edge: emit it in parts");
        }
    }

    private void hand(int length, int newHead, int newTail) {
        NetworkBuffer filled = Objects.requireNonNull(current);
        current = null;
        filled.set(length, newHead, newTail);
        part.add(filled);
    }

    /** Sends what is in the buffer. Call it between records only. */
    void flush() {
        if (current != null) {
            int length = out.position() - NetworkBuffer.BASE;
            out.attach(NONE, 0, 0);
            hand(length, head, length);
        }
    }

    void end() {
        flush();
        part.add(NetworkBuffer.event(EventKind.END_OF_PARTITION));
    }

    /** Returns the unfinished buffer after a failure. */
    void abandon() {
        if (current != null) {
            current.recycle();
            current = null;
        }
    }
}
