package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.Text;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads the lines whose first byte lies in a split. It starts one byte early and skips the line at that byte, and
 * reads beyond the end to finish the last line.
 */
public final class LineReader implements SplitReader<Text> {

    private static final int CHUNK = 128 << 10;
    /** CR and LF. */
    private static final int LINE_END = 2;

    private final FileSplit split;
    private final int lineBytes;
    private final LineLengths lengths;
    private final Optional<Runnable> tooLong;
    private final FileChannel channel;
    private final Text line = new Text();
    private byte[] buffer = new byte[CHUNK];
    /** Offset in the file of the buffer's first byte. */
    private long base;
    /** Where the next line starts in the buffer. */
    private int at;
    /** There is no line end between {@code at} and here. */
    private int scanned;

    private int limit;
    private boolean skipping;
    /** Where the line that was emitted last starts in the buffer. */
    private int lineStart;

    /**
     * A reader of one split.
     *
     * @param lineBytes maximum length of a line, without its end
     * @param lengths of the lines that the task read before; those of this split are added
     * @param tooLong is called for each line that is longer, which is then passed over; without it, such a line ends the task
     */
    public LineReader(FileSplit split, int lineBytes, LineLengths lengths, Optional<Runnable> tooLong)
            throws IOException {
        this.split = split;
        this.lineBytes = lineBytes;
        this.lengths = lengths;
        this.tooLong = tooLong;
        this.channel = FileChannel.open(Path.of(split.file()), StandardOpenOption.READ);
        this.skipping = split.start() > 0;
        this.base = skipping ? split.start() - 1 : 0;
    }

    @Override
    public boolean step(Collector<Text> out) throws IOException {
        makeRoom();
        int read = channel.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit), base + limit);
        if (read > 0) {
            limit += read;
        }
        while (base + at < split.end()) {
            int end = lineEnd();
            if (end < 0) {
                if (read < 0 && at < limit) {
                    emit(limit, limit, out);
                }
                return read >= 0;
            }
            emit(end > at && buffer[end - 1] == '\r' ? end - 1 : end, end + 1, out);
        }
        return false;
    }

    /** An estimate: the size of the split says how many bytes remain, and not how many lines. */
    @Override
    public OptionalLong recordsLeft() {
        return lengths.linesIn(split.end() - base - at);
    }

    /** The offset in the file of the line that was emitted last; valid while it is processed. */
    public long lineOffset() {
        return base + lineStart;
    }

    private int lineEnd() {
        byte[] bytes = buffer;
        for (int i = scanned; i < limit; i++) {
            if (bytes[i] == '\n') {
                return i;
            }
        }
        scanned = limit;
        return -1;
    }

    private void emit(int end, int next, Collector<Text> out) {
        int start = at;
        at = next;
        scanned = next;
        if (skipping) {
            skipping = false;
        } else if (end - start > lineBytes) {
            passOver(base + start);
        } else {
            lengths.add(next - start);
            lineStart = start;
            out.collect(line.view(buffer, start, end - start));
        }
    }

    /** The line that begins at this offset is too long. Another attempt would read the same. */
    private void passOver(long offset) {
        tooLong.orElseThrow(() ->
                        new PermanentException(FilePosition.of(split.file(), offset) + ": the line is longer than "
                                + lineBytes + " bytes; raise line.bytes of the source, or check that the file is text"))
                .run();
    }

    private void makeRoom() {
        if (at > 0) {
            System.arraycopy(buffer, at, buffer, 0, limit - at);
            base += at;
            limit -= at;
            scanned -= at;
            at = 0;
        }
        if (limit < buffer.length) {
            return;
        }
        if (!skipping && buffer.length < lineBytes + LINE_END) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(lineBytes + LINE_END, buffer.length * 2L));
            return;
        }
        if (!skipping) {
            passOver(base);
            skipping = true;
        }
        // The line is skipped; only its end matters.
        base += limit;
        limit = 0;
        scanned = 0;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
