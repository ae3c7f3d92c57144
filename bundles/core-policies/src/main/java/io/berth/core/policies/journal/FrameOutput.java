package io.berth.core.policies.journal;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.BiConsumer;

/**
 * Writes values as bytes. Numbers are short when they are small; values that repeat are written once for each segment
 * and referred to after that. {@link FrameInput} reads them in the same order. Not thread-safe.
 */
final class FrameOutput {

    private final Map<Object, Integer> known = new HashMap<>();
    private byte[] bytes = new byte[4_096];
    private int size;

    /** Begins another entry of the same segment. */
    void begin() {
        size = 0;
    }

    int size() {
        return size;
    }

    /** How many values can be referred to. */
    int known() {
        return known.size();
    }

    byte[] bytes() {
        return bytes;
    }

    private void put(int value) {
        if (size == bytes.length) {
            bytes = Arrays.copyOf(bytes, size * 2);
        }
        bytes[size++] = (byte) value;
    }

    void number(long value) {
        long rest = value << 1 ^ value >> 63;
        while ((rest & ~0x7FL) != 0) {
            put((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        put((int) rest);
    }

    void flag(boolean value) {
        put(value ? 1 : 0);
    }

    void real(double value) {
        fixed(Double.doubleToRawLongBits(value));
    }

    /** In eight bytes, so that it can be read without the rest. */
    void fixed(long value) {
        for (int shift = 56; shift >= 0; shift -= 8) {
            put((int) (value >>> shift));
        }
    }

    void text(String value) {
        shared(value, (out, text) -> {
            byte[] encoded = text.getBytes(StandardCharsets.UTF_8);
            out.number(encoded.length);
            for (byte one : encoded) {
                out.put(one);
            }
        });
    }

    void word(Enum<?> value) {
        text(value.name());
    }

    /** A value that is likely to be written again. */
    <T> void shared(T value, BiConsumer<FrameOutput, T> write) {
        Integer number = known.get(value);
        if (number != null) {
            number(number + 1L);
            return;
        }
        number(0);
        write.accept(this, value);
        known.put(value, known.size());
    }

    <T> void list(Collection<T> values, BiConsumer<FrameOutput, T> write) {
        number(values.size());
        values.forEach(value -> write.accept(this, value));
    }

    <T> void optional(Optional<T> value, BiConsumer<FrameOutput, T> write) {
        flag(value.isPresent());
        value.ifPresent(present -> write.accept(this, present));
    }

    <K, V> void map(SortedMap<K, V> values, BiConsumer<FrameOutput, K> key, BiConsumer<FrameOutput, V> write) {
        number(values.size());
        values.forEach((one, value) -> {
            key.accept(this, one);
            write.accept(this, value);
        });
    }
}
