package io.berth.dataflow.api.record;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.record.Wire.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes and reads the values of one Java type. Immutable once it is built. */
interface Codec extends Reading {

    Wire wire();

    void write(@Nullable Object value, RecordOutput out);

    /** What a component of this type has when nothing was written for it. */
    default @Nullable Object missing() {
        return null;
    }

    /** Writes one value. */
    interface Writing {
        void write(@Nullable Object value, RecordOutput out);
    }

    /**
     * A type without parts.
     *
     * @param missing zero of a primitive type, else null
     */
    record Leaf(
            Wire wire,
            Writing writing,
            Reading reading,
            @Nullable Object missing) implements Codec {
        @Override
        public void write(@Nullable Object value, RecordOutput out) {
            writing.write(value, out);
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return reading.read(in);
        }
    }

    /** A number, truth value or character that may be null. */
    record OrNull(Codec value) implements Codec {
        @Override
        public Wire wire() {
            return Wire.of(Kind.NULLABLE, value.wire());
        }

        @Override
        public void write(@Nullable Object given, RecordOutput out) {
            out.writeByte(given == null ? 0 : 1);
            if (given != null) {
                value.write(given, out);
            }
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return in.readByte() == 0 ? null : value.read(in);
        }
    }

    /** A value, none, or null. */
    record Maybe(Codec value) implements Codec {
        @Override
        public Wire wire() {
            return Wire.of(Kind.OPTIONAL, value.wire());
        }

        @Override
        public Object missing() {
            return Optional.empty();
        }

        @Override
        public void write(@Nullable Object given, RecordOutput out) {
            Optional<?> optional = (Optional<?>) given;
            out.writeByte(optional == null ? 0 : optional.isEmpty() ? 1 : 2);
            if (optional != null && optional.isPresent()) {
                value.write(optional.get(), out);
            }
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return read(in, value);
        }

        static @Nullable Object read(RecordInput in, Reading value) {
            return switch (in.readByte()) {
                case 0 -> null;
                case 1 -> Optional.empty();
                default -> Optional.ofNullable(value.read(in));
            };
        }
    }

    /** A list or a set; null is allowed for it and for its elements. What is read cannot be changed. */
    record Elements(Kind kind, Codec element) implements Codec {
        @Override
        public Wire wire() {
            return Wire.of(kind, element.wire());
        }

        @Override
        public void write(@Nullable Object given, RecordOutput out) {
            if (given == null) {
                out.writeByte(0);
                return;
            }
            Iterable<?> elements = (Iterable<?>) given;
            out.writeVarInt(((java.util.Collection<?>) given).size() + 1);
            for (Object each : elements) {
                element.write(each, out);
            }
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return read(in, kind, element);
        }

        static @Nullable Object read(RecordInput in, Kind kind, Reading element) {
            int size = in.readVarInt() - 1;
            if (size < 0) {
                return null;
            }
            // Each element takes a byte at least, so a wrong size cannot ask for more memory than the record has.
            List<@Nullable Object> list = new ArrayList<>(Math.min(size, in.remaining()));
            for (int i = 0; i < size; i++) {
                list.add(element.read(in));
            }
            return kind == Kind.LIST
                    ? Collections.unmodifiableList(list)
                    : Collections.unmodifiableSet(new LinkedHashSet<>(list));
        }
    }

    /** A map in the order of its entries; null is allowed for it, its keys and its values. */
    record Entries(Codec key, Codec value) implements Codec {
        @Override
        public Wire wire() {
            return Wire.of(Kind.MAP, key.wire(), value.wire());
        }

        @Override
        public void write(@Nullable Object given, RecordOutput out) {
            if (given == null) {
                out.writeByte(0);
                return;
            }
            Set<? extends Map.Entry<?, ?>> entries = ((Map<?, ?>) given).entrySet();
            out.writeVarInt(entries.size() + 1);
            for (Map.Entry<?, ?> entry : entries) {
                key.write(entry.getKey(), out);
                value.write(entry.getValue(), out);
            }
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            return read(in, key, value);
        }

        static @Nullable Object read(RecordInput in, Reading key, Reading value) {
            int size = in.readVarInt() - 1;
            if (size < 0) {
                return null;
            }
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            for (int i = 0; i < size; i++) {
                Object each = key.read(in);
                map.put(each, value.read(in));
            }
            return Collections.unmodifiableMap(map);
        }
    }

    /** A constant of an enum, by its place; 0 is null. */
    record Constant(Wire wire, Class<?> type, List<Object> constants) implements Codec {
        @Override
        public void write(@Nullable Object value, RecordOutput out) {
            out.writeVarInt(value == null ? 0 : ((Enum<?>) value).ordinal() + 1);
        }

        @Override
        public @Nullable Object read(RecordInput in) {
            int place = in.readVarInt();
            return place == 0 ? null : Objects.requireNonNull(constants.get(place - 1));
        }
    }
}
