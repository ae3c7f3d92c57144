package io.berth.core.policies.journal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Copies segments into one stream, entry by entry. What a process that was killed wrote half is left out. */
final class JournalExport {

    private static final int MAX_DISORDER = 100;

    private final OutputStream out;
    private final OptionalLong to;
    private long frames;

    private JournalExport(OutputStream out, OptionalLong to) {
        this.out = out;
        this.to = to;
    }

    /**
     * Begins at the last segment that begins at or before decision {@code from}, and ends after decision {@code to}.
     *
     * @param segments oldest first
     */
    static void write(List<Path> segments, OptionalLong from, OptionalLong to, OutputStream out) throws IOException {
        JournalExport export = new JournalExport(out, to);
        for (Path segment : from.isPresent() ? since(segments, from.getAsLong()) : segments) {
            if (export.copy(segment)) {
                break;
            }
        }
        out.write(JournalFormat.end(export.frames));
        out.flush();
    }

    private static List<Path> since(List<Path> segments, long from) throws IOException {
        List<Path> found = new ArrayList<>();
        for (int index = segments.size() - 1; index >= 0; index--) {
            found.add(0, segments.get(index));
            OptionalLong begin = firstDecision(segments.get(index));
            if (begin.isPresent() && begin.getAsLong() <= from) {
                break;
            }
        }
        return found;
    }

    /** Whether a decision came before one that was recorded: they are almost in order. */
    static boolean isBefore(long decision, long recorded) {
        return decision + MAX_DISORDER < recorded;
    }

    /** The first decision in these segments; empty when there is none. */
    static OptionalLong oldestDecision(List<Path> segments) throws IOException {
        for (Path segment : segments) {
            OptionalLong first = firstDecision(segment);
            if (first.isPresent()) {
                return first;
            }
        }
        return OptionalLong.empty();
    }

    private record Entry(byte type, byte[] content) {

        long decision() {
            FrameInput in = new FrameInput();
            in.begin(content);
            return in.fixed();
        }
    }

    /** The next entry that is complete; null when there is none. */
    private static @Nullable Entry next(DataInputStream in) throws IOException {
        try {
            byte type = in.readByte();
            int length = in.readInt();
            int checksum = in.readInt();
            if (length < 0 || length > JournalFormat.MAX_ENTRY) {
                return null;
            }
            byte[] content = in.readNBytes(length);
            return content.length == length && JournalFormat.checksum(type, length, content, length) == checksum
                    ? new Entry(type, content)
                    : null;
        } catch (EOFException end) {
            return null;
        }
    }

    private static OptionalLong firstDecision(Path segment) throws IOException {
        try (DataInputStream in = open(segment)) {
            for (Entry entry = next(in); entry != null; entry = next(in)) {
                if (JournalFormat.isDecision(entry.type()) && entry.decision() > 0) {
                    return OptionalLong.of(entry.decision());
                }
            }
            return OptionalLong.empty();
        } catch (NoSuchFileException deleted) {
            return OptionalLong.empty();
        }
    }

    private static DataInputStream open(Path segment) throws IOException {
        InputStream file = new BufferedInputStream(Files.newInputStream(segment), 1 << 16);
        return new DataInputStream(file);
    }

    /** Decisions of several owners are almost in order, and one of them may be missing. */
    private static boolean isLast(long decision, long to) {
        return decision == to || isBefore(to, decision);
    }

    /** Returns whether the last decision was copied. */
    private boolean copy(Path segment) throws IOException {
        try (DataInputStream in = open(segment)) {
            for (Entry entry = next(in); entry != null; entry = next(in)) {
                out.write(JournalFormat.entry(entry.type(), entry.content(), entry.content().length));
                if (JournalFormat.isDecision(entry.type())) {
                    frames++;
                    if (to.isPresent() && isLast(entry.decision(), to.getAsLong())) {
                        return true;
                    }
                }
            }
            return false;
        } catch (NoSuchFileException deleted) {
            // It was the oldest one, and there is a newer one.
            return false;
        }
    }
}
