package io.berth.runtime.dataflow.exchange.input;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.Serializer;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import io.berth.runtime.dataflow.measure.RecordCounter;
import java.util.Arrays;

/**
 * Reads records from the buffers of one channel, including records that span buffers. Confined to the thread of the
 * task.
 */
public final class RecordReader<T> {

    /** A larger array for records that span buffers is not kept after the record, because there are many channels. */
    static final int MAX_KEPT_BYTES = 256 << 10;

    private static final byte[] NONE = new byte[0];

    private final Serializer<T> serializer;
    private final RecordInput in = new RecordInput();
    private byte[] begun = NONE;
    private int begunLength;
    private final RecordCounter records = new RecordCounter();

    /** A reader of what {@code serializer} wrote. */
    public RecordReader(Serializer<T> serializer) {
        this.serializer = serializer;
    }

    /** Records read. Any thread. */
    public long records() {
        return records.get();
    }

    /** Passes on all records that end in {@code buffer}, in order. */
    public void read(NetworkBuffer buffer, Collector<T> out) {
        byte[] array = buffer.array();
        int base = NetworkBuffer.BASE;
        if (buffer.head() > 0) {
            if (begunLength == 0) {
                throw new IllegalStateException("malformed buffer: it ends a record that was not begun");
            }
            keep(array, base, buffer.head());
            in.attach(begun, 0, begunLength);
            begunLength = 0;
            records.increment();
            out.collect(serializer.read(in));
            if (in.remaining() > 0) {
                throw new IllegalStateException("malformed record: " + in.remaining() + " bytes too many");
            }
            if (begun.length > MAX_KEPT_BYTES) {
                begun = NONE;
            }
        } else if (begunLength > 0 && buffer.tail() > 0) {
            throw new IllegalStateException(
                    "malformed buffer: a record of " + begunLength + " bytes does not continue");
        }
        in.attach(array, base + buffer.head(), base + buffer.tail());
        long count = 0;
        while (in.remaining() > 0) {
            count++;
            out.collect(serializer.read(in));
        }
        records.add(count);
        if (buffer.tail() < buffer.length()) {
            keep(array, base + buffer.tail(), buffer.length() - buffer.tail());
        }
    }

    private void keep(byte[] array, int from, int length) {
        int needed = begunLength + length;
        if (needed > NetworkBuffer.MAX_RECORD_BYTES) {
            throw new IllegalStateException("a record is longer than " + NetworkBuffer.MAX_RECORD_BYTES + " bytes");
        }
        if (begun.length < needed) {
            begun = Arrays.copyOf(begun, Math.max(needed, Math.min(NetworkBuffer.MAX_RECORD_BYTES, begun.length * 2)));
        }
        System.arraycopy(array, from, begun, begunLength, length);
        begunLength = needed;
    }

    /** Bytes that it keeps between records. */
    int keptBytes() {
        return begun.length;
    }

    /** The channel has ended. */
    public void end() {
        if (begunLength > 0) {
            throw new IllegalStateException("the channel ended within a record");
        }
    }
}
