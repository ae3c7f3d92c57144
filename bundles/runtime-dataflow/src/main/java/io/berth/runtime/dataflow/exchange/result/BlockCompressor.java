package io.berth.runtime.dataflow.exchange.result;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Compresses blocks of up to 64 KiB in the LZ4 block format, which any LZ4 decompressor reads. Most of the time of writing a
 * result goes here. It looks for matches by hashes of five bytes and not of four: that passes over many short ones, so
 * there are fewer and longer sequences. It takes less time than the Java compressor of lz4-java, and about as much space.
 * For one thread.
 */
final class BlockCompressor {

    /** Positions in the table are 16 bits. */
    static final int MAX_LENGTH = 1 << 16;

    private static final VarHandle SHORT = MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private static final int MIN_MATCH = 4;
    /** The format ends a block with so many bytes that no match covers. */
    private static final int LAST_LITERALS = 5;
    /** The last match begins so many bytes before the end. */
    private static final int LAST_MATCH = 12;
    /** A token has two lengths below this; what is above follows in bytes of its own. */
    private static final int LONG_LENGTH = 15;

    private static final int WIDE_COPY = 2 * Long.BYTES;
    private static final int HASH_BITS = 13;
    /** A prime number of five bytes. */
    private static final long HASH_FACTOR = 889523592379L;
    /** After 2 to the power of this many positions without a match it goes on in larger steps. */
    private static final int STEP_BITS = 6;

    /** By hash, where its bytes were last. Zero stands for the beginning of the block. */
    private final char[] table = new char[1 << HASH_BITS];

    private byte[] target = new byte[0];
    private int written;
    /** Of the match that {@link #nextMatch} has found: where the same bytes were before. */
    private int reference;

    /** Bytes that {@code length} bytes take at most, with room for copying more than is needed. */
    static int maxCompressedLength(int length) {
        return length + length / 255 + 16 + WIDE_COPY;
    }

    /**
     * Compresses {@code source[0, length)} into {@code into}, which has {@link #maxCompressedLength} bytes.
     *
     * @return the bytes that it takes
     */
    int compress(byte[] source, int length, byte[] into) {
        if (length > MAX_LENGTH || into.length < maxCompressedLength(length)) {
            throw new IllegalArgumentException("a block of " + length + " bytes into " + into.length
                    + ": allowed are up to " + MAX_LENGTH + " bytes into " + maxCompressedLength(length));
        }
        target = into;
        written = 0;
        Arrays.fill(table, (char) 0);
        int anchor = 0;
        int last = length - LAST_MATCH;
        int at = nextMatch(source, 1, last);
        while (at <= last) {
            int match = reference;
            while (at > anchor && match > 0 && source[at - 1] == source[match - 1]) {
                at--;
                match--;
            }
            int end = endOfMatch(source, at + MIN_MATCH, match + MIN_MATCH, length - LAST_LITERALS);
            writeSequence(source, anchor, at, at - match, end - at - MIN_MATCH);
            anchor = end;
            if (end <= last) {
                table[hash((long) LONG.get(source, end - 2))] = (char) (end - 2);
            }
            at = nextMatch(source, end, last);
        }
        writeLastLiterals(source, anchor, length - anchor);
        return written;
    }

    /** Where the next match begins, from {@code start} on; behind {@code last} if there is none. */
    private int nextMatch(byte[] source, int start, int last) {
        int at = start;
        int tries = 1 << STEP_BITS;
        while (at <= last) {
            long eight = (long) LONG.get(source, at);
            int hash = hash(eight);
            int before = table[hash];
            table[hash] = (char) at;
            if ((int) eight == (int) INT.get(source, before)) {
                reference = before;
                return at;
            }
            at += tries++ >>> STEP_BITS;
        }
        return at;
    }

    private static int hash(long eight) {
        return (int) ((eight << 24) * HASH_FACTOR >>> Long.SIZE - HASH_BITS);
    }

    private static int endOfMatch(byte[] source, int from, int reference, int limit) {
        int at = from;
        int before = reference;
        while (at + Long.BYTES <= limit) {
            long difference = (long) LONG.get(source, at) ^ (long) LONG.get(source, before);
            if (difference != 0) {
                return at + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
            at += Long.BYTES;
            before += Long.BYTES;
        }
        while (at < limit && source[at] == source[before]) {
            at++;
            before++;
        }
        return at;
    }

    /** Literals {@code source[from, to)} and a match, whose length is the minimum and {@code more}. */
    private void writeSequence(byte[] source, int from, int to, int distance, int more) {
        int token = written++;
        int literals = to - from;
        if (literals < LONG_LENGTH && from + WIDE_COPY <= source.length) {
            LONG.set(target, written, (long) LONG.get(source, from));
            LONG.set(target, written + Long.BYTES, (long) LONG.get(source, from + Long.BYTES));
            written += literals;
        } else {
            writeLiterals(source, from, literals);
        }
        SHORT.set(target, written, (short) distance);
        written += Short.BYTES;
        if (more >= LONG_LENGTH) {
            writeLength(more);
        }
        target[token] = (byte) (Math.min(literals, LONG_LENGTH) << 4 | Math.min(more, LONG_LENGTH));
    }

    private void writeLastLiterals(byte[] source, int from, int literals) {
        int token = written++;
        writeLiterals(source, from, literals);
        target[token] = (byte) (Math.min(literals, LONG_LENGTH) << 4);
    }

    private void writeLiterals(byte[] source, int from, int literals) {
        if (literals >= LONG_LENGTH) {
            writeLength(literals);
        }
        System.arraycopy(source, from, target, written, literals);
        written += literals;
    }

    private void writeLength(int length) {
        int rest = length - LONG_LENGTH;
        while (rest >= 255) {
            target[written++] = (byte) 255;
            rest -= 255;
        }
        target[written++] = (byte) rest;
    }
}
