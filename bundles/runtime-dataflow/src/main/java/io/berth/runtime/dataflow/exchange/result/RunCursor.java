package io.berth.runtime.dataflow.exchange.result;

import io.berth.dataflow.api.RecordInput;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * How far a channel has read its parts of a stored result: run by run, the blocks that have something of these parts. One
 * thread at a time uses it.
 */
final class RunCursor {

    private final StoredResult result;
    private final int firstPart;
    private final int endPart;
    private int nextRun;

    /** The bytes of the parts in the run: from, to. */
    private long from;

    private long to;
    /** Where the next block is: in the run, and in the file. */
    private long blockStart;

    private long blockAt;
    /** The stored bytes of the blocks that are left. */
    private int[] lengths = new int[0];

    private int nextBlock;

    RunCursor(StoredResult result, int firstPart, int count) {
        this.result = result;
        this.firstPart = firstPart;
        this.endPart = firstPart + count;
    }

    /** Memory of a reading thread. */
    static final class Scratch {
        private final Blocks blocks = new Blocks();
        private final byte[] stored = new byte[Blocks.MAX_STORED];
        private final byte[] records = new byte[NetworkBuffer.CAPACITY];
    }

    /**
     * Fills the buffer as far as whole blocks, or what these have of the parts, fit.
     *
     * @return false when nothing was left
     */
    boolean fill(FileChannel file, NetworkBuffer buffer, Scratch scratch) throws IOException {
        buffer.set(0, 0, 0);
        while (nextBlock < lengths.length || openRun(file)) {
            int skip = (int) Math.max(0, from - blockStart);
            int end = (int) Math.min(NetworkBuffer.CAPACITY, to - blockStart);
            int room = NetworkBuffer.CAPACITY - buffer.length();
            boolean goesOn = buffer.tail() < buffer.length();
            if (buffer.length() > 0 && (goesOn || end - skip > room)) {
                return true;
            }
            if (!append(file, buffer, skip, end, scratch)) {
                return true;
            }
        }
        return buffer.length() > 0;
    }

    /** Appends {@code [skip, end)} of the next block. False if the buffer can take nothing more. */
    private boolean append(FileChannel file, NetworkBuffer buffer, int skip, int end, Scratch scratch)
            throws IOException {
        int bytes = lengths[nextBlock];
        result.read(file, blockAt, scratch.stored, bytes);
        int at = NetworkBuffer.BASE + buffer.length();
        boolean direct = skip == 0 && buffer.length() == 0;
        Blocks.Block block;
        try {
            block = direct
                    ? scratch.blocks.read(scratch.stored, bytes, buffer.array(), at)
                    : scratch.blocks.read(scratch.stored, bytes, scratch.records, 0);
        } catch (Blocks.DamagedException damage) {
            throw result.damaged(blockAt, String.valueOf(damage.getMessage()));
        }
        if (block.length() < end) {
            throw result.damaged(blockAt, "a block of " + block.length() + " bytes where " + end + " are needed");
        }
        int length = end - skip;
        if (!direct) {
            System.arraycopy(scratch.records, skip, buffer.array(), at, length);
        }
        int before = buffer.length();
        int head = before > 0 ? buffer.head() : skip == 0 ? block.head() : 0;
        // A part ends with a record, so what is cut off behind it begins with another one.
        int tail = end < block.length() ? length : block.tail() - skip;
        buffer.set(before + length, head, before + tail);
        blockAt += bytes;
        blockStart += NetworkBuffer.CAPACITY;
        nextBlock++;
        return tail == length;
    }

    /** Goes to the next run that has something of the parts. */
    private boolean openRun(FileChannel file) throws IOException {
        while (nextRun < result.runs()) {
            ByteBuffer table = result.table(file);
            table.position(nextRun * RunWriter.RUN_BYTES);
            nextRun++;
            long start = table.getLong();
            long indexAt = table.getLong();
            byte[] index = new byte[table.getInt()];
            result.read(file, indexAt, index, index.length);
            if (RunWriter.checksum(index, index.length) != table.getInt()) {
                throw result.damaged(indexAt, "the checksum of the index of a run is wrong");
            }
            if (find(new RecordInput(index), start)) {
                return true;
            }
        }
        return false;
    }

    private boolean find(RecordInput index, long start) {
        from = 0;
        to = 0;
        int parts = index.readVarInt();
        int part = 0;
        for (int i = 0; i < parts; i++) {
            part += index.readVarInt();
            int bytes = index.readVarInt();
            from += part < firstPart ? bytes : 0;
            to += part < endPart ? bytes : 0;
        }
        if (from == to) {
            return false;
        }
        int blocks = index.readVarInt();
        int firstBlock = (int) (from / NetworkBuffer.CAPACITY);
        int endBlock = (int) ((to + NetworkBuffer.CAPACITY - 1) / NetworkBuffer.CAPACITY);
        lengths = new int[endBlock - firstBlock];
        blockAt = start;
        for (int i = 0; i < Math.min(blocks, endBlock); i++) {
            int stored = index.readVarInt();
            if (i < firstBlock) {
                blockAt += stored;
            } else {
                lengths[i - firstBlock] = stored;
            }
        }
        blockStart = (long) firstBlock * NetworkBuffer.CAPACITY;
        nextBlock = 0;
        return true;
    }
}
