package io.berth.core.dispatcher.store;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * Reads what {@link RecordWriter} wrote. Content that is not valid causes an {@link UnreadableRecordException}. For
 * one record.
 */
final class RecordReader {

    private static final int MIN_BYTES = 1 + RecordWriter.CHECKSUM_BYTES;

    private final ByteBuffer content;
    private final int format;

    /** This release cannot read a record; the message says why and what to do. */
    static final class UnreadableRecordException extends Exception {

        private static final long serialVersionUID = 1L;

        UnreadableRecordException(String message) {
            super(message);
        }
    }

    /** Reads the fields of one record. */
    interface Body<T> {
        T read(RecordReader in) throws UnreadableRecordException;
    }

    private RecordReader(ByteBuffer content, int format) {
        this.content = content;
        this.format = format;
    }

    /**
     * Reads a whole record.
     *
     * @param oldest the oldest format that this release reads; a release's records stay readable for two minor
     *     versions
     * @param newest the format that this release writes
     */
    static <T> T read(byte[] bytes, int oldest, int newest, Body<T> body) throws UnreadableRecordException {
        if (bytes.length < MIN_BYTES) {
            throw new UnreadableRecordException("has " + bytes.length + " bytes, too few for a record");
        }
        int length = bytes.length - RecordWriter.CHECKSUM_BYTES;
        CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        if ((int) checksum.getValue() != ByteBuffer.wrap(bytes).getInt(length)) {
            throw new UnreadableRecordException(
                    "is damaged: its checksum does not match its " + bytes.length + " bytes");
        }
        int format = bytes[0];
        if (format < oldest || format > newest) {
            String known = oldest == newest ? "format " + newest : "formats " + oldest + " to " + newest;
            throw new UnreadableRecordException("has format " + format + ", and this release reads " + known
                    + ": run the release that wrote it, or "
                    + (format > newest ? "a newer one" : "one of the next two minor versions after that"));
        }
        RecordReader reader = new RecordReader(ByteBuffer.wrap(bytes, 1, length - 1), format);
        T value;
        try {
            value = body.read(reader);
        } catch (IllegalArgumentException | ArithmeticException refused) {
            throw new UnreadableRecordException("has content that is not allowed: " + refused.getMessage());
        }
        if (reader.content.hasRemaining()) {
            throw new UnreadableRecordException("has " + reader.content.remaining() + " extra bytes");
        }
        return value;
    }

    long number() throws UnreadableRecordException {
        return require(Long.BYTES).getLong();
    }

    int count() throws UnreadableRecordException {
        int value = require(Integer.BYTES).getInt();
        if (value < 0) {
            throw new UnreadableRecordException("has a count of " + value);
        }
        return value;
    }

    boolean flag() throws UnreadableRecordException {
        return require(1).get() != 0;
    }

    String text() throws UnreadableRecordException {
        byte[] bytes = new byte[checked(count())];
        content.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    Optional<String> optionalText() throws UnreadableRecordException {
        return flag() ? Optional.of(text()) : Optional.empty();
    }

    /** Whether the record has the fields of that format. */
    boolean isSince(int first) {
        return format >= first;
    }

    /** Reads a field that records have since that format; empty in an older one. */
    Optional<String> optionalTextSince(int first) throws UnreadableRecordException {
        return isSince(first) ? optionalText() : Optional.empty();
    }

    <T> List<T> list(Body<T> item) throws UnreadableRecordException {
        int size = count();
        List<T> items = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            items.add(item.read(this));
        }
        return items;
    }

    private ByteBuffer require(int bytes) throws UnreadableRecordException {
        checked(bytes);
        return content;
    }

    private int checked(int bytes) throws UnreadableRecordException {
        if (content.remaining() < bytes) {
            throw new UnreadableRecordException(
                    "ends early: " + bytes + " more bytes are expected, " + content.remaining() + " are left");
        }
        return bytes;
    }
}
