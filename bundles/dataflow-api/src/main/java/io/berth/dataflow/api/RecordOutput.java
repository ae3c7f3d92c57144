package io.berth.dataflow.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Objects;
import org.osgi.annotation.versioning.ProviderType;

/**
 * The output of serializers. Bytes go directly into the array that the owner attached. When it is full, the owner
 * provides the next one, so a record may span any number of arrays. For one thread.
 */
@ProviderType
public final class RecordOutput {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final VarHandle BIG_LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private final Owner owner;
    private byte[] array = new byte[0];
    private int position;
    private int limit;

    /** An output without an array. The owner provides one at the first byte. */
    public RecordOutput(Owner owner) {
        this.owner = Objects.requireNonNull(owner, "owner");
    }

    /** Provides the arrays. */
    @FunctionalInterface
    public interface Owner {
        /**
         * The output is full. The owner takes its content and calls {@link #attach} with room for at least one byte.
         */
        void full(RecordOutput output);
    }

    /** Makes {@code bytes[from, to)} the target. */
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

    /** One byte. */
    public void writeByte(int value) {
        if (position == limit) {
            owner.full(this);
        }
        array[position++] = (byte) value;
    }

    /** A number in one byte if it is in [0, 128), else in up to five (seven bits each, low ones first). */
    public void writeVarInt(int value) {
        int rest = value;
        while ((rest & ~0x7f) != 0) {
            writeByte(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        writeByte(rest);
    }

    /** Like {@link #writeVarInt}, up to ten bytes. */
    public void writeVarLong(long value) {
        long rest = value;
        while ((rest & ~0x7fL) != 0) {
            writeByte((int) rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        writeByte((int) rest);
    }

    /** Four bytes, high one first. */
    public void writeInt(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            writeByte(value >>> shift);
        }
    }

    /** Eight bytes, high one first. */
    public void writeLong(long value) {
        if (limit - position >= Long.BYTES) {
            BIG_LONG.set(array, position, value);
            position += Long.BYTES;
            return;
        }
        for (int shift = 56; shift >= 0; shift -= 8) {
            writeByte((int) (value >>> shift));
        }
    }

    /** The bytes {@code source[offset, offset + length)}. */
    public void writeBytes(byte[] source, int offset, int length) {
        // Short runs, the common case, take one or two eight-byte stores. Excess bytes are overwritten later.
        if (length <= 8 && limit - position >= 8 && source.length - offset >= 8) {
            LONG.set(array, position, (long) LONG.get(source, offset));
            position += length;
        } else if (length > 8 && length <= 16 && limit - position >= 16 && source.length - offset >= 16) {
            LONG.set(array, position, (long) LONG.get(source, offset));
            LONG.set(array, position + 8, (long) LONG.get(source, offset + 8));
            position += length;
        } else {
            writeRun(source, offset, length);
        }
    }

    private void writeRun(byte[] source, int offset, int length) {
        int from = offset;
        int rest = length;
        while (rest > 0) {
            if (position == limit) {
                owner.full(this);
            }
            int step = Math.min(rest, limit - position);
            System.arraycopy(source, from, array, position, step);
            position += step;
            from += step;
            rest -= step;
        }
    }

    /** An output that grows as needed; its bytes so far are {@code array()[0, position())}. */
    public static RecordOutput growing() {
        return new RecordOutput(output -> {
            int size = output.position();
            byte[] larger = java.util.Arrays.copyOf(output.array(), Math.max(64, size * 2));
            output.attach(larger, size, larger.length);
        });
    }

    /** A copy of the bytes written since the start of the array. */
    public byte[] toByteArray() {
        return java.util.Arrays.copyOf(array, position);
    }
}
