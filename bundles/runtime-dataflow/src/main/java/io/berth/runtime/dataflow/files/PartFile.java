package io.berth.runtime.dataflow.files;

import java.io.BufferedOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A file that is being written under a hidden name. Confined to the thread of the task. */
final class PartFile {

    private static final int BUFFER = 64 << 10;

    private final Path path;
    private final FileChannel channel;
    private final Counted out;

    private static final class Counted extends FilterOutputStream {
        private long written;

        Counted(OutputStream to) {
            super(to);
        }

        @Override
        public void write(int value) throws IOException {
            written++;
            out.write(value);
        }

        @Override
        public void write(byte[] bytes, int offset, int length) throws IOException {
            written += length;
            out.write(bytes, offset, length);
        }
    }

    /** Creates the file, which must be new: an existing one belongs to a task that may still write. */
    PartFile(Path path) throws IOException {
        this.path = path;
        this.channel = FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        this.out = new Counted(new BufferedOutputStream(Channels.newOutputStream(channel), BUFFER));
    }

    OutputStream out() {
        return out;
    }

    /** Bytes written, also those that are still in the buffer. */
    long bytes() {
        return out.written;
    }

    /** Everything is on the disk when it returns. */
    void finish() throws IOException {
        out.flush();
        channel.force(true);
        channel.close();
    }

    /** Removes the file. */
    void discard() throws IOException {
        channel.close();
        Files.deleteIfExists(path);
    }
}
