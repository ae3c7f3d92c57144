package io.berth.core.policies.journal;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.policies.frame.RecordedDecision;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Reads an export of a journal, one entry after another. Refuses a damaged one with offset and reason. */
public final class JournalReader {

    /** The file is not an export of a journal, or it is damaged. */
    public static final class DamagedException extends IOException {

        private static final long serialVersionUID = 1L;

        /** @param offset of the entry that cannot be read, in bytes */
        DamagedException(long offset, String reason) {
            super("offset " + offset + ": " + reason);
        }
    }

    /** What is read. */
    public sealed interface Entry {

        /** One decision. */
        record Frame(RecordedDecision frame) implements Entry {}

        /**
         * So many decisions of a type were lost when they were recorded.
         *
         * @param pool of the decisions; empty for decisions of jobs
         */
        record Gap(DecisionType type, String pool, long frames) implements Entry {}
    }

    private final DataInputStream in;
    private long offset;
    private long frames;
    private Optional<FrameInput> segment = Optional.empty();
    private boolean ended;

    public JournalReader(InputStream in) {
        this.in = new DataInputStream(in);
    }

    /**
     * The next entry; empty after the last one.
     *
     * @throws DamagedException when the file is damaged, or not an export
     */
    public Optional<Entry> next() throws IOException {
        while (!ended) {
            long at = offset;
            int type = in.read();
            if (type < 0) {
                throw new DamagedException(at, at == 0 ? "the file is empty" : "the file was cut: its end is missing");
            }
            byte[] content = content(at, (byte) type);
            Optional<Entry> entry;
            try {
                entry = read(at, (byte) type, content);
            } catch (IllegalArgumentException
                    | ArithmeticException
                    | IndexOutOfBoundsException
                    | ClassCastException
                    | NullPointerException damage) {
                throw new DamagedException(at, "the entry cannot be read: " + damage.getMessage());
            }
            if (entry.isPresent()) {
                return entry;
            }
        }
        return Optional.empty();
    }

    private byte[] content(long at, byte type) throws IOException {
        try {
            int length = in.readInt();
            int checksum = in.readInt();
            if (length < 0 || length > JournalFormat.MAX_ENTRY) {
                throw new DamagedException(
                        at,
                        at == 0
                                ? "this is not an export of decisions"
                                : "an entry has a length of " + length + " bytes: at most " + JournalFormat.MAX_ENTRY
                                        + " are allowed");
            }
            // Not allocated at once: the length may be damaged.
            byte[] content = in.readNBytes(length);
            offset += JournalFormat.HEADER + (long) content.length;
            if (content.length < length) {
                throw new EOFException();
            }
            if (JournalFormat.checksum(type, length, content, length) != checksum) {
                throw new DamagedException(
                        at,
                        at == 0
                                ? "the checksum is wrong: the file is damaged, or not an export of decisions"
                                : "the checksum of the entry is wrong: the file is damaged");
            }
            return content;
        } catch (EOFException cut) {
            throw new DamagedException(at, "the file was cut: it ends in this entry");
        }
    }

    private Optional<Entry> read(long at, byte type, byte[] content) throws IOException {
        if (type == JournalFormat.SEGMENT) {
            segment = Optional.of(segment(at, content));
            return Optional.empty();
        }
        FrameInput input = segment.orElseThrow(() -> new DamagedException(at, "this is not an export of decisions"));
        input.begin(content);
        Optional<Entry> entry = switch (type) {
            case JournalFormat.FRAME, JournalFormat.SCALING, JournalFormat.ASSIGNMENT -> {
                frames++;
                yield Optional.of(new Entry.Frame(JournalFormat.read(type, input)));
            }
            case JournalFormat.GAP -> Optional.of(gap(content));
            case JournalFormat.END -> {
                end(at, content);
                yield Optional.empty();
            }
            default -> throw new DamagedException(at, "an entry has the unknown type " + type);
        };
        if (JournalFormat.isDecision(type)) {
            input.end();
        }
        return entry;
    }

    private static Entry gap(byte[] content) {
        FrameInput input = new FrameInput();
        input.begin(content);
        Entry gap = new Entry.Gap(input.word(DecisionType.class), input.text(), input.number());
        input.end();
        return gap;
    }

    private static FrameInput segment(long at, byte[] content) throws DamagedException {
        FrameInput head = new FrameInput();
        head.begin(content);
        if (!head.text().equals(JournalFormat.MAGIC)) {
            throw new DamagedException(at, "this is not an export of decisions");
        }
        long version = head.number();
        if (version != JournalFormat.VERSION) {
            throw new DamagedException(
                    at,
                    "the file has version " + version + "; this release reads version " + JournalFormat.VERSION
                            + ": use the release that recorded it");
        }
        return new FrameInput();
    }

    private void end(long at, byte[] content) throws IOException {
        FrameInput tail = new FrameInput();
        tail.begin(content);
        long expected = tail.number();
        tail.end();
        if (expected != frames) {
            throw new DamagedException(at, "the file has " + frames + " decisions, but should have " + expected);
        }
        if (in.read() >= 0) {
            throw new DamagedException(offset, "there are bytes after the end");
        }
        ended = true;
    }
}
