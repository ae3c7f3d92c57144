package io.berth.dataflow.api;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * The serializers of simple values and what is made of them. Each call creates a new one. Java records have {@code
 * RecordSerializer.of}, and rows with named columns {@code Row.serializer}.
 */
public final class Serializers {

    private Serializers() {}

    /** {@link Text}: length and bytes. It reads into one view that the next read reuses. */
    public static Serializer<Text> text() {
        return new TextSerializer();
    }

    /** {@code String} as UTF-8. */
    public static Serializer<String> string() {
        return new StringSerializer();
    }

    /** {@code Long}, one to ten bytes. Small numbers of either sign are short. */
    public static Serializer<Long> longs() {
        return new LongSerializer();
    }

    /** {@code Integer}, one to five bytes. Small numbers of either sign are short. */
    public static Serializer<Integer> ints() {
        return new Plain<>((value, out) -> out.writeVarInt(value << 1 ^ value >> 31), in -> {
            int coded = in.readVarInt();
            return coded >>> 1 ^ -(coded & 1);
        });
    }

    /** {@code Double}, eight bytes. */
    public static Serializer<Double> doubles() {
        return new Plain<>(
                (value, out) -> out.writeLong(Double.doubleToRawLongBits(value)),
                in -> Double.longBitsToDouble(in.readLong()));
    }

    /** {@code Boolean}, one byte. */
    public static Serializer<Boolean> booleans() {
        return new Plain<>((value, out) -> out.writeByte(value ? 1 : 0), in -> in.readByte() != 0);
    }

    /** A list without nulls. What is read cannot be changed. */
    public static <E> Serializer<List<E>> list(Serializer<E> element) {
        return new ListSerializer<>(element);
    }

    /** A map without nulls, in the order of its entries. What is read cannot be changed. */
    public static <K, V> Serializer<Map<K, V>> map(Serializer<K> key, Serializer<V> value) {
        return new MapSerializer<>(key, value);
    }

    /** A value or none. */
    public static <E> Serializer<Optional<E>> optional(Serializer<E> value) {
        return new OptionalSerializer<>(value);
    }

    /** {@code byte[]}: length and bytes. */
    public static Serializer<byte[]> bytes() {
        return new BytesSerializer();
    }

    /** A pair, one part after the other. */
    public static <A, B> Serializer<Pair<A, B>> pair(Serializer<A> first, Serializer<B> second) {
        return new PairSerializer<>(first, second);
    }

    private static final class TextSerializer implements Serializer<Text> {
        private final Text reused = new Text();

        @Override
        public void write(Text record, RecordOutput out) {
            out.writeVarInt(record.length());
            out.writeBytes(record.bytes(), record.offset(), record.length());
        }

        @Override
        public Text read(RecordInput in) {
            int length = in.readVarInt();
            int start = in.skip(length);
            return reused.view(in.array(), start, length);
        }

        @Override
        public Text copy(Text record) {
            return record.copy();
        }
    }

    private static final class StringSerializer implements Serializer<String> {
        @Override
        public void write(String record, RecordOutput out) {
            byte[] bytes = record.getBytes(StandardCharsets.UTF_8);
            out.writeVarInt(bytes.length);
            out.writeBytes(bytes, 0, bytes.length);
        }

        @Override
        public String read(RecordInput in) {
            int length = in.readVarInt();
            int start = in.skip(length);
            return new String(in.array(), start, length, StandardCharsets.UTF_8);
        }

        @Override
        public String copy(String record) {
            return record;
        }
    }

    private static final class LongSerializer implements Serializer<Long> {
        @Override
        public void write(Long record, RecordOutput out) {
            long value = record;
            out.writeVarLong(value << 1 ^ value >> 63);
        }

        @Override
        public Long read(RecordInput in) {
            long coded = in.readVarLong();
            return coded >>> 1 ^ -(coded & 1);
        }

        @Override
        public Long copy(Long record) {
            return record;
        }
    }

    private static final class BytesSerializer implements Serializer<byte[]> {
        @Override
        public void write(byte[] record, RecordOutput out) {
            out.writeVarInt(record.length);
            out.writeBytes(record, 0, record.length);
        }

        @Override
        public byte[] read(RecordInput in) {
            int length = in.readVarInt();
            int start = in.skip(length);
            return Arrays.copyOfRange(in.array(), start, start + length);
        }

        @Override
        public byte[] copy(byte[] record) {
            return record.clone();
        }
    }

    private record PairSerializer<A, B>(Serializer<A> first, Serializer<B> second) implements Serializer<Pair<A, B>> {
        @Override
        public void write(Pair<A, B> record, RecordOutput out) {
            first.write(record.first(), out);
            second.write(record.second(), out);
        }

        @Override
        public Pair<A, B> read(RecordInput in) {
            A a = first.read(in);
            return new Pair<>(a, second.read(in));
        }

        @Override
        public Pair<A, B> copy(Pair<A, B> record) {
            return new Pair<>(first.copy(record.first()), second.copy(record.second()));
        }
    }

    /** A value that never changes. */
    private record Plain<T>(BiConsumer<T, RecordOutput> writing, Function<RecordInput, T> reading)
            implements Serializer<T> {
        @Override
        public void write(T record, RecordOutput out) {
            writing.accept(record, out);
        }

        @Override
        public T read(RecordInput in) {
            return reading.apply(in);
        }

        @Override
        public T copy(T record) {
            return record;
        }
    }

    private record ListSerializer<E>(Serializer<E> element) implements Serializer<List<E>> {
        @Override
        public void write(List<E> record, RecordOutput out) {
            out.writeVarInt(record.size());
            for (E each : record) {
                element.write(each, out);
            }
        }

        @Override
        public List<E> read(RecordInput in) {
            int size = in.readVarInt();
            // Each element takes a byte at least, so a wrong size cannot ask for more memory than the record has.
            List<E> list = new ArrayList<>(Math.max(0, Math.min(size, in.remaining())));
            for (int i = 0; i < size; i++) {
                // Elements that are read may be one object that is reused.
                list.add(element.copy(element.read(in)));
            }
            return Collections.unmodifiableList(list);
        }

        @Override
        public List<E> copy(List<E> record) {
            return record.stream().map(element::copy).toList();
        }
    }

    private record MapSerializer<K, V>(Serializer<K> key, Serializer<V> value) implements Serializer<Map<K, V>> {
        @Override
        public void write(Map<K, V> record, RecordOutput out) {
            out.writeVarInt(record.size());
            record.forEach((k, v) -> {
                key.write(k, out);
                value.write(v, out);
            });
        }

        @Override
        public Map<K, V> read(RecordInput in) {
            Map<K, V> map = new LinkedHashMap<>();
            for (int left = in.readVarInt(); left > 0; left--) {
                K k = key.copy(key.read(in));
                map.put(k, value.copy(value.read(in)));
            }
            return Collections.unmodifiableMap(map);
        }

        @Override
        public Map<K, V> copy(Map<K, V> record) {
            Map<K, V> map = new LinkedHashMap<>();
            record.forEach((k, v) -> map.put(key.copy(k), value.copy(v)));
            return Collections.unmodifiableMap(map);
        }
    }

    private record OptionalSerializer<E>(Serializer<E> value) implements Serializer<Optional<E>> {
        @Override
        public void write(Optional<E> record, RecordOutput out) {
            out.writeByte(record.isPresent() ? 1 : 0);
            record.ifPresent(each -> value.write(each, out));
        }

        @Override
        public Optional<E> read(RecordInput in) {
            return in.readByte() == 0 ? Optional.empty() : Optional.of(value.read(in));
        }

        @Override
        public Optional<E> copy(Optional<E> record) {
            return record.map(value::copy);
        }
    }
}
