package io.berth.runtime.dataflow.exchange.result;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A result file while it is written, through a buffer. Each byte is counted by the store before it is written. Confined
 * to the thread of the task.
 */
final class ResultFile {

    private static final int BUFFER_BYTES = 256 << 10;

    private final Path path;
    private final ResultStore.Reservation reservation;
    private final FileChannel channel;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
    private long written;

    ResultFile(Path path, ResultStore.Reservation reservation) throws IOException {
        this.path = path;
        this.reservation = reservation;
        this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    }

    Path path() {
        return path;
    }

    /** Where the next byte goes. */
    long position() {
        return written + buffer.position();
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        int done = 0;
        while (done < length) {
            int step = Math.min(length - done, buffer.remaining());
            buffer.put(bytes, offset + done, step);
            done += step;
            if (!buffer.hasRemaining()) {
                flush();
            }
        }
    }

    private void flush() throws IOException {
        buffer.flip();
        reservation.add(buffer.remaining());
        written += buffer.remaining();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** Writes the rest. */
    void finish() throws IOException {
        flush();
        channel.close();
    }

    /** Closes and deletes it. */
    void delete() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
