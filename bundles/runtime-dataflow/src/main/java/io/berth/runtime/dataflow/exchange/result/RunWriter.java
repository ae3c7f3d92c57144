package io.berth.runtime.dataflow.exchange.result;

import io.berth.dataflow.api.RecordOutput;
import io.berth.runtime.dataflow.exchange.buffer.NetworkBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * Writes runs to a result file. A run has records in the order of their parts, in blocks that are full except the last
 * one, and then its index: the number of parts that have records, for each of them the distance from the one before and
 * its bytes; the number of blocks, and the stored bytes of each. All these numbers take few bytes if they are small.
 *
 * <p>The file begins with magic and version, and ends with the table of its runs: for each run where it begins, where its
 * index begins, and the length and CRC-32C of the index; then the CRC-32C of the table. Confined to the thread of the
 * task.
 */
final class RunWriter {

    static final int MAGIC = 0x42525253;
    static final int VERSION = 1;
    static final int FILE_HEADER = 8;

    /** Bytes of a run in the table. */
    static final int RUN_BYTES = 24;

    private final ResultFile file;
    private final Blocks blocks = new Blocks();
    private final byte[] block = new byte[NetworkBuffer.CAPACITY];
    private final byte[] stored = new byte[Blocks.MAX_STORED];
    private int filled;
    private int head;
    private int recordStart;
    private boolean inRecord;
    private boolean continued;

    private ByteBuffer table = ByteBuffer.allocate(16 * RUN_BYTES);
    private long runStart;
    private RecordOutput parts = RecordOutput.growing();
    private int partCount;
    private int part;
    private int lastPart;
    private int partBytes;
    private RecordOutput lengths = RecordOutput.growing();
    private int blockCount;

    RunWriter(ResultFile file) throws IOException {
        this.file = file;
        file.append(
                ByteBuffer.allocate(FILE_HEADER).putInt(MAGIC).putInt(VERSION).array(), 0, FILE_HEADER);
    }

    void beginRun() {
        runStart = file.position();
        parts = RecordOutput.growing();
        lengths = RecordOutput.growing();
        partCount = 0;
        lastPart = 0;
        blockCount = 0;
    }

    /** Begins a part that has records; its number is above that of the part before in the run. */
    void beginPart(int number) {
        part = number;
        partBytes = 0;
    }

    void record(byte[] bytes, int offset, int length) throws IOException {
        beginRecord();
        append(bytes, offset, length);
        endRecord();
    }

    void beginRecord() throws IOException {
        if (filled == block.length) {
            writeBlock();
        }
        recordStart = filled;
        inRecord = true;
        continued = false;
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        partBytes += length;
        int done = 0;
        while (done < length) {
            if (filled == block.length) {
                writeBlock();
            }
            int step = Math.min(length - done, block.length - filled);
            System.arraycopy(bytes, offset + done, block, filled, step);
            filled += step;
            done += step;
        }
    }

    void endRecord() {
        if (continued) {
            head = filled;
        }
        inRecord = false;
    }

    void endPart() {
        parts.writeVarInt(part - lastPart);
        parts.writeVarInt(partBytes);
        lastPart = part;
        partCount++;
    }

    private void writeBlock() throws IOException {
        boolean middle = inRecord && continued;
        int tail = middle ? 0 : inRecord ? recordStart : filled;
        int bytes = blocks.write(block, filled, middle ? 0 : head, tail, stored);
        file.append(stored, 0, bytes);
        lengths.writeVarInt(bytes);
        blockCount++;
        filled = 0;
        head = 0;
        // A block within a record is written only when another byte of the record follows.
        continued = inRecord;
        recordStart = 0;
    }

    void endRun() throws IOException {
        if (filled > 0) {
            writeBlock();
        }
        RecordOutput index = RecordOutput.growing();
        index.writeVarInt(partCount);
        index.writeBytes(parts.array(), 0, parts.position());
        index.writeVarInt(blockCount);
        index.writeBytes(lengths.array(), 0, lengths.position());
        if (table.remaining() < RUN_BYTES) {
            table = ByteBuffer.wrap(Arrays.copyOf(table.array(), table.capacity() * 2))
                    .position(table.position());
        }
        table.putLong(runStart).putLong(file.position());
        table.putInt(index.position()).putInt(checksum(index.array(), index.position()));
        file.append(index.array(), 0, index.position());
    }

    /** Writes the table of the runs. */
    Table end() throws IOException {
        long at = file.position();
        int runs = table.position() / RUN_BYTES;
        file.append(table.array(), 0, table.position());
        byte[] checksum = ByteBuffer.allocate(4)
                .putInt(checksum(table.array(), table.position()))
                .array();
        file.append(checksum, 0, checksum.length);
        file.finish();
        return new Table(at, runs, file.position());
    }

    /** Where the table of the runs is, and the size of the file. */
    record Table(long at, int runs, long fileBytes) {}

    static int checksum(byte[] bytes, int length) {
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
