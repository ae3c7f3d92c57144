package io.berth.dataflow.api;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.osgi.annotation.versioning.ProviderType;

/**
 * A view of bytes that are text, by convention UTF-8: a line or a word that never becomes a {@code String}. The view
 * is mutable, so that sources and serializers can reuse it; {@link #copy} returns a text that can be kept. Equality,
 * order and hash depend only on the bytes. The hash is the same in every JVM. For one thread.
 */
@ProviderType
public final class Text implements Comparable<Text> {

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private byte[] bytes = new byte[0];
    private int offset;
    private int length;
    private int hash;

    /** An empty view. */
    public Text() {}

    /** A new text with the characters of {@code characters}. */
    public static Text of(String characters) {
        byte[] bytes = characters.getBytes(StandardCharsets.UTF_8);
        return new Text().view(bytes, 0, bytes.length);
    }

    /** Shows {@code array[from, from + size)} from now on and returns this text. */
    public Text view(byte[] array, int from, int size) {
        Objects.checkFromIndexSize(from, size, array.length);
        bytes = array;
        offset = from;
        length = size;
        hash = 0;
        return this;
    }

    /** The array that the view shows. */
    public byte[] bytes() {
        return bytes;
    }

    /** The index in {@link #bytes} where the text starts. */
    public int offset() {
        return offset;
    }

    /** How many bytes the text has. */
    public int length() {
        return length;
    }

    /** A text with its own bytes. */
    public Text copy() {
        Text copy = new Text();
        // Whole words of memory, so that comparing and hashing does not go byte by byte.
        copy.bytes = new byte[(length + 7) & ~7];
        System.arraycopy(bytes, offset, copy.bytes, 0, length);
        copy.length = length;
        copy.hash = hash;
        return copy;
    }

    @Override
    public int hashCode() {
        int known = hash;
        if (known == 0) {
            known = computeHash();
            hash = known;
        }
        return known;
    }

    private int computeHash() {
        long h = length * 0x9E3779B97F4A7C15L;
        int at = offset;
        int rest = length;
        while (rest > 8) {
            h = (h ^ (long) LONG.get(bytes, at)) * 0xC6A4A7935BD1E995L;
            h ^= h >>> 32;
            at += 8;
            rest -= 8;
        }
        if (rest > 0) {
            h = (h ^ tail(bytes, at, rest)) * 0xC6A4A7935BD1E995L;
            h ^= h >>> 32;
        }
        return (int) (h ^ h >>> 17);
    }

    /** Up to eight bytes as a number, the first one lowest. */
    private static long tail(byte[] array, int at, int count) {
        if (array.length - at >= 8) {
            return (long) LONG.get(array, at) & -1L >>> (64 - 8 * count);
        }
        long value = 0;
        for (int i = count - 1; i >= 0; i--) {
            value = value << 8 | array[at + i] & 0xff;
        }
        return value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Text that && length == that.length && sameBytes(that);
    }

    // Words are short: a call of Arrays.equals costs more than the comparison.
    private boolean sameBytes(Text that) {
        int here = offset;
        int there = that.offset;
        int rest = length;
        while (rest > 8) {
            if ((long) LONG.get(bytes, here) != (long) LONG.get(that.bytes, there)) {
                return false;
            }
            here += 8;
            there += 8;
            rest -= 8;
        }
        return rest == 0 || tail(bytes, here, rest) == tail(that.bytes, there, rest);
    }

    /** Compares unsigned bytes; a prefix comes first. */
    @Override
    public int compareTo(Text that) {
        return Arrays.compareUnsigned(
                bytes, offset, offset + length, that.bytes, that.offset, that.offset + that.length);
    }

    @Override
    public String toString() {
        return new String(bytes, offset, length, StandardCharsets.UTF_8);
    }
}
