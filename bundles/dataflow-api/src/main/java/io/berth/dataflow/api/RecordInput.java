package io.berth.dataflow.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.osgi.annotation.versioning.ProviderType;

/** The input of serializers: a range of an array that contains whole records. For one thread. */
@ProviderType
public final class RecordInput {

    private static final VarHandle BIG_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private byte[] array = new byte[0];
    private int position;
    private int limit;

    /** An empty input. */
    public RecordInput() {}

    /** An input over all of {@code bytes}. */
    public RecordInput(byte[] bytes) {
        attach(bytes, 0, bytes.length);
    }

    /** Makes {@code bytes[from, to)} the input. */
    public void attach(byte[] bytes, int from, int to) {
        Objects.checkFromToIndex(from, to, bytes.length);
        array = bytes;
        position = from;
        limit = to;
    }

    /** The array in use. */
    public byte[] array() {
        return array;
    }

    /** The index of the next byte in the array. */
    public int position() {
        return position;
    }

    /** How many bytes are left. */
    public int remaining() {
        return limit - position;
    }

    /** One byte, in [0, 256). */
    public int readByte() {
        if (position >= limit) {
            throw beyondEnd(1);
        }
        return array[position++] & 0xff;
    }

    /** A number that {@link RecordOutput#writeVarInt} wrote. */
    public int readVarInt() {
        int first = readByte();
        if (first < 0x80) {
            return first;
        }
        int value = first & 0x7f;
        for (int shift = 7; shift < 35; shift += 7) {
            int next = readByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalStateException("malformed record: a variable-length int of more than 5 bytes");
    }

    /** A number that {@link RecordOutput#writeVarLong} wrote. */
    public long readVarLong() {
        long value = 0;
        for (int shift = 0; shift < 70; shift += 7) {
            long next = readByte();
            value |= (next & 0x7f) << shift;
            if (next < 0x80) {
                return value;
            }
        }
        throw new IllegalStateException("malformed record: a variable-length long of more than 10 bytes");
    }

    /** A number that {@link RecordOutput#writeInt} wrote. */
    public int readInt() {
        int value = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            value = value << 8 | readByte();
        }
        return value;
    }

    /** A number that {@link RecordOutput#writeLong} wrote. */
    public long readLong() {
        return (long) BIG_LONG.get(array, skip(Long.BYTES));
    }

    /** Skips {@code length} bytes and returns their start in {@link #array}. */
    public int skip(int length) {
        if (length < 0 || length > limit - position) {
            throw beyondEnd(length);
        }
        int start = position;
        position = start + length;
        return start;
    }

    private IllegalStateException beyondEnd(int wanted) {
        return new IllegalStateException("malformed record: " + wanted + " bytes wanted, " + remaining() + " left;"
                + " do both ends of the edge use the same serializer?");
    }
}
