package io.berth.dataflow.api;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The serializers that come with the API. Each call creates a new one. */
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
}
