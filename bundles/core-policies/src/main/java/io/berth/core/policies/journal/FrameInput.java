package io.berth.core.policies.journal;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Reads what {@link FrameOutput} wrote. Throws an {@link IllegalArgumentException} when the bytes are something else.
 * Not thread-safe.
 */
final class FrameInput {

    private final List<Object> known = new ArrayList<>();
    private byte[] bytes = {};
    private int at;

    /** Begins another entry of the same segment. */
    void begin(byte[] entry) {
        bytes = entry;
        at = 0;
    }

    /** The entry must be read completely. */
    void end() {
        if (at != bytes.length) {
            throw new IllegalArgumentException((bytes.length - at) + " bytes are left");
        }
    }

    private int next() {
        if (at >= bytes.length) {
            throw new IllegalArgumentException("it ends in a value");
        }
        return bytes[at++] & 0xFF;
    }

    long number() {
        long rest = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            int part = next();
            rest |= (long) (part & 0x7F) << shift;
            if (part < 0x80) {
                return rest >>> 1 ^ -(rest & 1);
            }
        }
        throw new IllegalArgumentException("a number is too long");
    }

    int whole() {
        return Math.toIntExact(number());
    }

    /** A number of values, of which each takes at least one byte. */
    int count() {
        long count = number();
        if (count < 0 || count > bytes.length - at) {
            throw new IllegalArgumentException(count + " values in " + (bytes.length - at) + " bytes");
        }
        return (int) count;
    }

    boolean flag() {
        return switch (next()) {
            case 0 -> false;
            case 1 -> true;
            default -> throw new IllegalArgumentException("a flag is neither 0 nor 1");
        };
    }

    long fixed() {
        long bits = 0;
        for (int part = 0; part < 8; part++) {
            bits = bits << 8 | next();
        }
        return bits;
    }

    double real() {
        return Double.longBitsToDouble(fixed());
    }

    String text() {
        return shared(in -> {
            int length = in.count();
            String text = new String(in.bytes, in.at, length, StandardCharsets.UTF_8);
            in.at += length;
            return text;
        });
    }

    <E extends Enum<E>> E word(Class<E> type) {
        return Enum.valueOf(type, text());
    }

    @SuppressWarnings("unchecked")
    <T> T shared(Function<FrameInput, T> read) {
        int number = whole();
        if (number > 0) {
            return (T) known.get(number - 1);
        }
        T value = read.apply(this);
        known.add(value);
        return value;
    }

    <T> List<T> list(Function<FrameInput, T> read) {
        int count = count();
        List<T> values = new ArrayList<>(count);
        for (int nth = 0; nth < count; nth++) {
            values.add(read.apply(this));
        }
        return values;
    }

    <T> Optional<T> optional(Function<FrameInput, T> read) {
        return flag() ? Optional.of(read.apply(this)) : Optional.empty();
    }

    <K extends Comparable<K>, V> SortedMap<K, V> map(Function<FrameInput, K> key, Function<FrameInput, V> read) {
        int count = count();
        SortedMap<K, V> values = new TreeMap<>();
        for (int nth = 0; nth < count; nth++) {
            K one = key.apply(this);
            values.put(one, read.apply(this));
        }
        return values;
    }
}
