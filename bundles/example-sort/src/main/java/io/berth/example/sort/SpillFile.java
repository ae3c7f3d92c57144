package io.berth.example.sort;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A sorted run on the disk: the length of each record in 4 bytes, and its bytes. The file is deleted while it is open, so
 * nothing is left of it when the process ends in any way, where the file system allows that. For one thread.
 */
final class SpillFile implements AutoCloseable {

    private static final int BUFFER_BYTES = 256 << 10;

    private final FileChannel channel;
    private ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);

    SpillFile(Path folder) throws IOException {
        Files.createDirectories(folder);
        channel = FileChannel.open(
                folder.resolve("sort-" + UUID.randomUUID()),
                StandardOpenOption.CREATE_NEW,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE,
                StandardOpenOption.DELETE_ON_CLOSE);
    }

    void append(byte[] bytes, int offset, int length) throws IOException {
        if (buffer.remaining() < SortMemory.HEADER + length) {
            flush();
            if (buffer.capacity() < SortMemory.HEADER + length) {
                buffer = ByteBuffer.allocate(SortMemory.HEADER + length);
            }
        }
        buffer.putInt(length).put(bytes, offset, length);
    }

    private void flush() throws IOException {
        buffer.flip();
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
        buffer.clear();
    }

    /** Writes the rest. Returns the bytes of the file. */
    long finish() throws IOException {
        flush();
        buffer = ByteBuffer.allocate(0);
        return channel.position();
    }

    /** Reads from {@code at} on, as much as is there and fits. Returns how much. */
    int read(long at, byte[] target, int from) throws IOException {
        int read = 0;
        ByteBuffer room = ByteBuffer.wrap(target, from, target.length - from);
        while (room.hasRemaining() && read >= 0) {
            read = channel.read(room, at + room.position() - from);
        }
        return room.position() - from;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
