package io.berth.runtime.dataflow.exchange.result;

import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * The blocks of a result file. A block has up to {@link NetworkBuffer#CAPACITY} bytes of records, compressed by LZ4
 * unless that does not make it smaller. Its header: stored length, length, head and tail (see {@link NetworkBuffer}),
 * and the CRC-32C of the rest of the header and of the stored bytes, 4 bytes each. For one thread.
 */
final class Blocks {

    static final int HEADER = 20;

    /** Bytes that a block may need in a file. */
    static final int MAX_STORED = HEADER + NetworkBuffer.CAPACITY;

    private static final int CHECKSUM_AT = HEADER - 4;

    private final BlockCompressor compressor = new BlockCompressor();
    private final LZ4SafeDecompressor decompressor =
            LZ4Factory.fastestJavaInstance().safeDecompressor();
    private final byte[] compressed = new byte[BlockCompressor.maxCompressedLength(NetworkBuffer.CAPACITY)];
    private final CRC32C checksum = new CRC32C();

    /** A block that does not have its checksum or is malformed. */
    static final class DamagedException extends Exception {

        private static final long serialVersionUID = 1L;

        DamagedException(String message) {
            super(message);
        }
    }

    /** A block that was read. */
    record Block(int length, int head, int tail) {}

    /**
     * Writes a block to {@code target}, which has room for {@link #MAX_STORED} bytes.
     *
     * @return the bytes that it takes
     */
    int write(byte[] records, int length, int head, int tail, byte[] target) {
        int packed = compressor.compress(records, length, compressed);
        boolean smaller = packed < length;
        int stored = smaller ? packed : length;
        System.arraycopy(smaller ? compressed : records, 0, target, HEADER, stored);
        ByteBuffer header = ByteBuffer.wrap(target);
        header.putInt(stored).putInt(length).putInt(head).putInt(tail);
        header.putInt(checksum(target, stored));
        return HEADER + stored;
    }

    private int checksum(byte[] block, int stored) {
        checksum.reset();
        checksum.update(block, 0, CHECKSUM_AT);
        checksum.update(block, HEADER, stored);
        return (int) checksum.getValue();
    }

    /**
     * Checks a block of {@code bytes} bytes, and puts its records into {@code target[at, ...)}.
     *
     * @throws DamagedException when the block is not as it was written
     */
    Block read(byte[] block, int bytes, byte[] target, int at) throws DamagedException {
        ByteBuffer header = ByteBuffer.wrap(block);
        int stored = header.getInt();
        int length = header.getInt();
        int head = header.getInt();
        int tail = header.getInt();
        if (stored != bytes - HEADER) {
            throw new DamagedException(
                    "a block has " + stored + " stored bytes by its header, and " + (bytes - HEADER) + " by the index");
        }
        if (header.getInt() != checksum(block, stored)) {
            throw new DamagedException("the checksum of a block of " + bytes + " bytes is wrong");
        }
        if (stored == length) {
            System.arraycopy(block, HEADER, target, at, length);
        } else {
            int unpacked;
            try {
                unpacked = decompressor.decompress(block, HEADER, stored, target, at, NetworkBuffer.CAPACITY);
            } catch (LZ4Exception malformed) {
                throw new DamagedException("a block cannot be decompressed: " + malformed.getMessage());
            }
            if (unpacked != length) {
                throw new DamagedException("a block has " + unpacked + " bytes instead of " + length);
            }
        }
        return new Block(length, head, tail);
    }
}
