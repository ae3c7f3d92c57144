package io.berth.dataflow.api.data;

import io.berth.dataflow.api.Serializer;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Values with the names of their columns. A value is a {@code String}, {@code Long}, {@code Double}, {@code Boolean}, {@code
 * BigDecimal}, {@code Instant}, a {@code Row}, a {@code List} of such values, or missing. Immutable and thread-safe.
 */
public final class Row {

    private static final String ALLOWED =
            "String, Long, Double, Boolean, BigDecimal, Instant, Row, a List of these, or null";

    private final Columns columns;
    private final @Nullable Object[] values;

    private Row(Columns columns, @Nullable Object[] values) {
        this.columns = columns;
        this.values = values;
    }

    /**
     * A row.
     *
     * @param values one for each column, in their order; null for a missing one. {@code Integer}, {@code Short} and {@code Byte}
     *     become {@code Long}, and {@code Float} becomes the {@code Double} of the same digits
     * @throws IllegalArgumentException when their number or a type is not allowed
     */
    public static Row of(Columns columns, @Nullable Object... values) {
        if (values.length != columns.size()) {
            throw new IllegalArgumentException(values.length + " values for the " + columns.size() + " columns "
                    + columns + "; allowed: one for each");
        }
        @Nullable Object[] own = new @Nullable Object[values.length];
        for (int place = 0; place < own.length; place++) {
            own[place] = checked(columns.names().get(place), values[place]);
        }
        return new Row(columns, own);
    }

    /** A serializer of rows, whose columns may differ from row to row. Names of columns are written once per output. */
    public static Serializer<Row> serializer() {
        return new RowSerializer();
    }

    /** Values that are known to be allowed; the row keeps the array. */
    static Row trusted(Columns columns, @Nullable Object[] values) {
        return new Row(columns, values);
    }

    private static @Nullable Object checked(String column, @Nullable Object value) {
        if (value == null
                || value instanceof String
                || value instanceof Long
                || value instanceof Double
                || value instanceof Boolean
                || value instanceof Row
                || value instanceof BigDecimal
                || value instanceof Instant) {
            return value;
        } else if (value instanceof Integer || value instanceof Short || value instanceof Byte) {
            return ((Number) value).longValue();
        } else if (value instanceof Float number) {
            // By its digits: 2.1f is 2.1, and not 2.0999999046325684.
            return Double.valueOf(number.toString());
        } else if (value instanceof List<?> list) {
            List<@Nullable Object> own = new ArrayList<>(list.size());
            list.forEach(each -> own.add(checked(column, each)));
            return Collections.unmodifiableList(own);
        }
        throw new IllegalArgumentException(
                "column '" + column + "' has a value of " + value.getClass().getName() + "; allowed: " + ALLOWED);
    }

    public Columns columns() {
        return columns;
    }

    /** The value at a place, from 0; null if it is missing. */
    public @Nullable Object at(int place) {
        return values[place];
    }

    /** The value of a column; empty if it is missing, or if there is no such column. */
    public Optional<Object> find(String column) {
        int place = columns.indexOf(column);
        return place < 0 ? Optional.empty() : Optional.ofNullable(values[place]);
    }

    /** The value of a column as text: as it was written, for a value that was read from text. */
    public String text(String column) {
        return required(column).toString();
    }

    /** The value of a column as a whole number; a text is read as one. */
    public long whole(String column) {
        Object value = required(column);
        try {
            if (value instanceof Long number) {
                return number;
            } else if (value instanceof BigDecimal number) {
                return number.longValueExact();
            } else if (value instanceof String text) {
                return Long.parseLong(text.trim());
            }
        } catch (NumberFormatException e) {
            throw refused(column, value, "a whole number");
        } catch (ArithmeticException e) {
            throw refused(column, value, "a whole number of 64 bits");
        }
        throw refused(column, value, "a whole number");
    }

    /** The value of a column as a number; a text is read as one. */
    public double number(String column) {
        Object value = required(column);
        if (value instanceof Number number) {
            return number.doubleValue();
        } else if (value instanceof String text) {
            try {
                return Double.parseDouble(text.trim());
            } catch (NumberFormatException e) {
                throw refused(column, value, "a number");
            }
        }
        throw refused(column, value, "a number");
    }

    /** The value of a column, true or false. */
    public boolean flag(String column) {
        Object value = required(column);
        if (value instanceof Boolean flag) {
            return flag;
        } else if (value.equals("true") || value.equals("false")) {
            return value.equals("true");
        }
        throw refused(column, value, "true or false");
    }

    /** A row with another value in the column, which is added as the last one if there is none of that name. */
    public Row with(String column, @Nullable Object value) {
        int place = columns.indexOf(column);
        @Nullable Object checked = checked(column, value);
        if (place >= 0) {
            @Nullable Object[] changed = values.clone();
            changed[place] = checked;
            return new Row(columns, changed);
        }
        List<String> names = new ArrayList<>(columns.names());
        names.add(column);
        @Nullable Object[] longer = java.util.Arrays.copyOf(values, values.length + 1);
        longer[values.length] = checked;
        return new Row(Columns.of(names), longer);
    }

    private Object required(String column) {
        int place = columns.indexOf(column);
        Object value = place < 0 ? null : values[place];
        if (value == null) {
            throw new IllegalArgumentException("column '" + column + "' "
                    + (place < 0 ? "does not exist; allowed: one of " + columns : "has no value in " + this));
        }
        return value;
    }

    private static IllegalArgumentException refused(String column, Object value, String allowed) {
        return new IllegalArgumentException("column '" + column + "' is '" + value + "'; allowed: " + allowed);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Row that
                && columns.equals(that.columns)
                && java.util.Arrays.equals(values, that.values);
    }

    @Override
    public int hashCode() {
        return 31 * columns.hashCode() + java.util.Arrays.hashCode(values);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("{");
        for (int place = 0; place < values.length; place++) {
            text.append(place == 0 ? "" : ", ")
                    .append(columns.names().get(place))
                    .append('=')
                    .append(values[place]);
        }
        return text.append('}').toString();
    }
}
