package io.berth.runtime.dataflow.exchange.result;

import io.berth.core.api.task.PartitionId;
import io.berth.runtime.dataflow.exchange.output.ChannelSource;
import io.berth.runtime.dataflow.exchange.output.Partition;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A complete partition on the disk of this worker. Any number of consumers may read it at the same time and again.
 * Thread-safe.
 */
final class StoredResult implements Partition {

    private final PartitionId id;
    private final int parts;
    private final Optional<Path> file;
    private final RunWriter.Table table;
    private final ResultReads reads;
    /** The table of the runs, once it was read and checked. */
    private volatile Optional<ByteBuffer> runs = Optional.empty();

    /** @param file empty if there is no record */
    StoredResult(PartitionId id, int parts, Optional<Path> file, RunWriter.Table table, ResultReads reads) {
        this.id = id;
        this.parts = parts;
        this.file = file;
        this.table = table;
        this.reads = reads;
    }

    @Override
    public PartitionId id() {
        return id;
    }

    @Override
    public int count() {
        return parts;
    }

    @Override
    public boolean isStored() {
        return true;
    }

    @Override
    public Optional<ChannelSource> source(int first, int count) {
        boolean allowed = first >= 0 && count >= 0 && (long) first + count <= parts;
        return allowed ? Optional.of(new StoredChannel(this, first, count, reads)) : Optional.empty();
    }

    Optional<Path> file() {
        return file;
    }

    long bytes() {
        return table.fileBytes();
    }

    int runs() {
        return table.runs();
    }

    /** A view of the table of the runs. */
    ByteBuffer table(FileChannel from) throws IOException {
        Optional<ByteBuffer> known = runs;
        if (known.isEmpty()) {
            byte[] header = new byte[RunWriter.FILE_HEADER];
            read(from, 0, header, header.length);
            ByteBuffer magic = ByteBuffer.wrap(header);
            if (magic.getInt() != RunWriter.MAGIC || magic.getInt() != RunWriter.VERSION) {
                throw damaged(0, "it does not begin as a result file of version " + RunWriter.VERSION);
            }
            int length = table.runs() * RunWriter.RUN_BYTES;
            byte[] bytes = new byte[length + 4];
            read(from, table.at(), bytes, bytes.length);
            ByteBuffer read = ByteBuffer.wrap(bytes, 0, length).slice();
            if (ByteBuffer.wrap(bytes).getInt(length) != RunWriter.checksum(bytes, length)) {
                throw damaged(table.at(), "the checksum of the table of its runs is wrong");
            }
            known = Optional.of(read);
            runs = known;
        }
        return known.get().duplicate();
    }

    /** Reads {@code length} bytes that must be there. */
    void read(FileChannel from, long at, byte[] target, int length) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(target, 0, length);
        while (buffer.hasRemaining()) {
            if (from.read(buffer, at + buffer.position()) < 0) {
                throw damaged(at, "it ends " + buffer.remaining() + " bytes too early");
            }
        }
    }

    DamagedResultException damaged(long at, String what) {
        return new DamagedResultException(
                "file " + file.map(Path::toString).orElse("") + " is damaged at offset " + at + ": " + what);
    }

    /** The file does not have what was written to it. The message names file and offset. */
    static final class DamagedResultException extends IOException {

        private static final long serialVersionUID = 1L;

        DamagedResultException(String message) {
            super(message);
        }
    }
}
