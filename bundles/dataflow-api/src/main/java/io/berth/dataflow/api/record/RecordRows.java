package io.berth.dataflow.api.record;

import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.dataflow.api.record.RecordCodec.Part;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Turns records of one class into rows with a column for each component, and rows into records. Components and columns are
 * matched by name. Immutable and thread-safe.
 */
public final class RecordRows<T extends Record> {

    private final Class<T> type;
    private final RecordCodec codec;
    private final Columns columns;

    private RecordRows(Class<T> type) {
        this.type = type;
        this.codec = RecordLayout.of(type).root();
        this.columns = Columns.of(codec.parts().stream().map(Part::name).toList());
    }

    /**
     * Rows of records of this class.
     *
     * @throws IllegalArgumentException when a {@link RecordSerializer} of the class would be refused
     */
    public static <T extends Record> RecordRows<T> of(Class<T> type) {
        return new RecordRows<>(type);
    }

    /** The components by name. */
    public Columns columns() {
        return columns;
    }

    /**
     * The record as a row: whole numbers as {@code Long}, fractions as {@code Double}, nested records as rows, maps with text
     * keys as rows, sets as lists, bytes as text in Base64, and all else that a row cannot have as text.
     */
    public Row toRow(T record) {
        return row(codec, columns, record);
    }

    private static Row row(RecordCodec codec, Columns columns, Object record) {
        @Nullable Object[] values = new @Nullable Object[codec.parts().size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = toValue(codec.get(i, record));
        }
        return Row.of(columns, values);
    }

    private static @Nullable Object toValue(@Nullable Object value) {
        if (value == null
                || value instanceof String
                || value instanceof Long
                || value instanceof Integer
                || value instanceof Short
                || value instanceof Byte
                || value instanceof Double
                || value instanceof Float
                || value instanceof Boolean
                || value instanceof BigDecimal
                || value instanceof Instant) {
            return value;
        } else if (value instanceof Optional<?> optional) {
            return toValue(optional.orElse(null));
        } else if (value instanceof java.util.Collection<?> elements) {
            List<@Nullable Object> list = new ArrayList<>();
            elements.forEach(each -> list.add(toValue(each)));
            return list;
        } else if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(String.valueOf(key), toValue(each)));
            return Row.of(
                    Columns.of(List.copyOf(entries.keySet())), entries.values().toArray());
        } else if (value instanceof Record nested) {
            RecordCodec of = RecordLayout.of(nested.getClass()).root();
            return row(of, Columns.of(of.parts().stream().map(Part::name).toList()), nested);
        } else if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }

    /**
     * The row as a record. Columns that the record does not have are left out, and components without a column are zero, null
     * or {@code Optional.empty()}. Texts are read as what the component needs, bytes from Base64.
     *
     * @throws IllegalArgumentException when a value does not fit its component; the message names both
     */
    public T toRecord(Row row) {
        return type.cast(record(codec, row));
    }

    private static Object record(RecordCodec codec, Row row) {
        @Nullable Object[] values = new @Nullable Object[codec.parts().size()];
        for (int i = 0; i < values.length; i++) {
            Part part = codec.parts().get(i);
            Object value = row.find(part.name()).orElse(null);
            values[i] = fromValue(value, part.codec(), codec.type().getName() + "." + part.name());
        }
        return codec.make(values);
    }

    private static @Nullable Object fromValue(@Nullable Object value, Codec to, String path) {
        if (value == null) {
            return to.missing();
        }
        try {
            return converted(value, to, path);
        } catch (ClassCastException | ArithmeticException | NumberFormatException | java.time.DateTimeException e) {
            throw new IllegalArgumentException(
                    "component " + path + " cannot be '" + value + "' ("
                            + value.getClass().getSimpleName() + "); allowed: " + to.wire(),
                    e);
        }
    }

    private static @Nullable Object converted(Object value, Codec to, String path) {
        if (to instanceof Codec.Maybe maybe) {
            return Optional.ofNullable(fromValue(value, maybe.value(), path));
        } else if (to instanceof Codec.OrNull nullable) {
            return fromValue(value, nullable.value(), path);
        } else if (to instanceof RecordCodec nested) {
            return record(nested, (Row) value);
        } else if (to instanceof Codec.Constant constant) {
            return constant.constants().stream()
                    .filter(each -> ((Enum<?>) each).name().equals(value))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("component " + path + " cannot be '" + value
                            + "'; allowed: one of " + constant.constants()));
        } else if (to instanceof Codec.Elements elements) {
            List<@Nullable Object> list = new ArrayList<>();
            ((List<?>) value).forEach(each -> list.add(fromValue(each, elements.element(), path)));
            return elements.kind() == Wire.Kind.SET ? (Set<?>) new java.util.LinkedHashSet<>(list) : list;
        } else if (to instanceof Codec.Entries entries) {
            Row row = (Row) value;
            Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
            for (String name : row.columns().names()) {
                map.put(
                        fromValue(name, entries.key(), path),
                        fromValue(row.find(name).orElse(null), entries.value(), path));
            }
            return map;
        }
        return leaf(value, to);
    }

    private static Object leaf(Object value, Codec to) {
        String text = value.toString();
        return switch (to.wire().kind()) {
            case BOOLEAN ->
                value instanceof Boolean || !(text.equals("true") || text.equals("false"))
                        ? (Boolean) value
                        : (Object) text.equals("true");
            case CHAR -> {
                if (text.length() != 1) {
                    throw new NumberFormatException("one character");
                }
                yield text.charAt(0);
            }
            case INTEGER -> whole(value, to);
            case FLOAT -> value instanceof Number number ? number.floatValue() : (Object) Float.parseFloat(text);
            case DOUBLE -> value instanceof Number number ? number.doubleValue() : (Object) Double.parseDouble(text);
            case DECIMAL -> value instanceof BigDecimal ? value : new BigDecimal(text);
            case INSTANT -> value instanceof Instant ? value : Instant.parse(text);
            case DURATION -> Duration.parse(text);
            case UUID -> parsed(text, UUID::fromString);
            case BYTES -> parsed((String) value, Base64.getDecoder()::decode);
            case STRING -> text;
            default -> throw new ClassCastException(to.wire().toString());
        };
    }

    private static Object parsed(String text, Function<String, Object> parser) {
        try {
            return parser.apply(text);
        } catch (IllegalArgumentException e) {
            throw (NumberFormatException) new NumberFormatException(e.getMessage()).initCause(e);
        }
    }

    /** In the size that the component has. */
    private static Object whole(Object value, Codec to) {
        long number = value instanceof Long known ? known : new BigDecimal(value.toString()).longValueExact();
        Object zero = to.missing();
        if (zero instanceof Integer) {
            return Math.toIntExact(number);
        } else if (zero instanceof Short) {
            if (number != (short) number) {
                throw new ArithmeticException("short overflow");
            }
            return (short) number;
        } else if (zero instanceof Byte) {
            if (number != (byte) number) {
                throw new ArithmeticException("byte overflow");
            }
            return (byte) number;
        }
        return number;
    }
}
