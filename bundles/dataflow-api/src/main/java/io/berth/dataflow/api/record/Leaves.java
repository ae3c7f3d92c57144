package io.berth.dataflow.api.record;

import io.berth.dataflow.api.record.Wire.Kind;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The codecs of types without parts, by class. Nothing changes them. */
final class Leaves {

    static final Map<Class<?>, Codec> BY_CLASS;

    private final Map<Class<?>, Codec> made = new LinkedHashMap<>();

    static {
        Leaves leaves = new Leaves();
        leaves.both(
                boolean.class,
                Boolean.class,
                Kind.BOOLEAN,
                (v, out) -> Values.write((boolean) cast(v), out),
                Values::readBoolean,
                false);
        leaves.both(
                char.class,
                Character.class,
                Kind.CHAR,
                (v, out) -> Values.write((char) cast(v), out),
                Values::readChar,
                '\0');
        leaves.both(
                byte.class,
                Byte.class,
                Kind.INTEGER,
                (v, out) -> Values.write((byte) cast(v), out),
                Values::readByte,
                (byte) 0);
        leaves.both(
                short.class,
                Short.class,
                Kind.INTEGER,
                (v, out) -> Values.write((short) cast(v), out),
                Values::readShort,
                (short) 0);
        leaves.both(
                int.class,
                Integer.class,
                Kind.INTEGER,
                (v, out) -> Values.write((int) cast(v), out),
                Values::readInt,
                0);
        leaves.both(
                long.class,
                Long.class,
                Kind.INTEGER,
                (v, out) -> Values.write((long) cast(v), out),
                Values::readLong,
                0L);
        leaves.both(
                float.class,
                Float.class,
                Kind.FLOAT,
                (v, out) -> Values.write((float) cast(v), out),
                Values::readFloat,
                0f);
        leaves.both(
                double.class,
                Double.class,
                Kind.DOUBLE,
                (v, out) -> Values.write((double) cast(v), out),
                Values::readDouble,
                0d);
        leaves.one(String.class, Kind.STRING, (v, out) -> Values.write((String) v, out), Values::readString);
        leaves.one(byte[].class, Kind.BYTES, (v, out) -> Values.write((byte[]) v, out), Values::readBytes);
        leaves.one(BigDecimal.class, Kind.DECIMAL, (v, out) -> Values.write((BigDecimal) v, out), Values::readDecimal);
        leaves.one(Instant.class, Kind.INSTANT, (v, out) -> Values.write((Instant) v, out), Values::readInstant);
        leaves.one(Duration.class, Kind.DURATION, (v, out) -> Values.write((Duration) v, out), Values::readDuration);
        leaves.one(UUID.class, Kind.UUID, (v, out) -> Values.write((UUID) v, out), Values::readUuid);
        BY_CLASS = Collections.unmodifiableMap(leaves.made);
    }

    private Leaves() {}

    private static Object cast(@Nullable Object value) {
        return Objects.requireNonNull(value, "a primitive value");
    }

    private void both(
            Class<?> primitive, Class<?> boxed, Kind kind, Codec.Writing writing, Reading reading, Object zero) {
        Codec.Leaf leaf = new Codec.Leaf(Wire.of(kind), writing, reading, zero);
        made.put(primitive, leaf);
        made.put(boxed, new Codec.OrNull(leaf));
    }

    private void one(Class<?> type, Kind kind, Codec.Writing writing, Reading reading) {
        made.put(type, new Codec.Leaf(Wire.of(kind), writing, reading, null));
    }
}
