package io.berth.core.dispatcher.store;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;

/**
 * Writes a record of the job store: one byte for its format, its fields, and the CRC-32C of all that. The frame is the
 * same in every format; {@link RecordReader} reads it. For one record and one thread.
 */
public final class RecordWriter {

    static final int CHECKSUM_BYTES = 4;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    /** @param format from 1 to 127 */
    public RecordWriter(int format) {
        out.write(format);
    }

    void number(long value) {
        out.writeBytes(ByteBuffer.allocate(Long.BYTES).putLong(value).array());
    }

    void count(int value) {
        out.writeBytes(ByteBuffer.allocate(Integer.BYTES).putInt(value).array());
    }

    void flag(boolean value) {
        out.write(value ? 1 : 0);
    }

    void text(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        count(bytes.length);
        out.writeBytes(bytes);
    }

    void optionalText(Optional<String> value) {
        flag(value.isPresent());
        value.ifPresent(this::text);
    }

    <T> void list(Collection<T> items, BiConsumer<RecordWriter, T> item) {
        count(items.size());
        items.forEach(each -> item.accept(this, each));
    }

    public byte[] bytes() {
        byte[] content = out.toByteArray();
        CRC32C checksum = new CRC32C();
        checksum.update(content);
        return ByteBuffer.allocate(content.length + CHECKSUM_BYTES)
                .put(content)
                .putInt((int) checksum.getValue())
                .array();
    }
}
