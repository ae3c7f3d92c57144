package io.berth.runtime.dataflow.files;

import io.berth.dataflow.api.Pair;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.dataflow.api.record.RecordRows;
import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Sees the records that a sink gets as rows: a row as it is, a Java record by its components, a pair as {@code first} and {@code
 * second}, and anything else as {@code value}. Values are as {@link RecordRows} makes them: what a row cannot have is text. For one
 * sink.
 */
public final class AnyRow {

    private static final Columns VALUE = Columns.of("value");
    private static final Columns PAIR = Columns.of("first", "second");

    /** Rows of the class of the last record. */
    private @Nullable Class<?> last;

    private @Nullable RecordRows<?> rows;

    /**
     * The record as a row.
     *
     * @throws PermanentException when a Java record has a component that no row can have
     */
    public Row of(Object record) {
        if (record instanceof Row row) {
            return row;
        } else if (record instanceof Pair<?, ?> pair) {
            return Row.of(PAIR, plain(pair.first()), plain(pair.second()));
        } else if (record instanceof Record known) {
            return rows(known);
        }
        return Row.of(VALUE, plain(record));
    }

    @SuppressWarnings("unchecked")
    private <T extends Record> Row rows(T record) {
        RecordRows<T> found = (RecordRows<T>) rows;
        if (found == null || record.getClass() != last) {
            found = known((Class<T>) record.getClass());
            rows = found;
            last = record.getClass();
        }
        return found.toRow(record);
    }

    private static <T extends Record> RecordRows<T> known(Class<T> type) {
        try {
            return RecordRows.of(type);
        } catch (IllegalArgumentException refused) {
            // The next attempt would get records of the same class.
            throw new PermanentException(String.valueOf(refused.getMessage()), refused);
        }
    }

    private @Nullable Object plain(@Nullable Object value) {
        if (value == null
                || value instanceof String
                || value instanceof Number number && isOfARow(number)
                || value instanceof Boolean
                || value instanceof Instant) {
            return value;
        } else if (value instanceof Row || value instanceof Pair<?, ?> || value instanceof Record) {
            return of(value);
        } else if (value instanceof Optional<?> optional) {
            return plain(optional.orElse(null));
        } else if (value instanceof Collection<?> elements) {
            List<@Nullable Object> list = new ArrayList<>();
            elements.forEach(each -> list.add(plain(each)));
            return list;
        } else if (value instanceof Map<?, ?> map) {
            Map<String, @Nullable Object> entries = new LinkedHashMap<>();
            map.forEach((key, each) -> entries.put(String.valueOf(key), plain(each)));
            return Row.of(
                    Columns.of(List.copyOf(entries.keySet())), entries.values().toArray());
        } else if (value instanceof byte[] bytes) {
            return Base64.getEncoder().encodeToString(bytes);
        }
        return value instanceof Enum<?> constant ? constant.name() : value.toString();
    }

    private static boolean isOfARow(Number number) {
        return number instanceof Long
                || number instanceof Integer
                || number instanceof Short
                || number instanceof Byte
                || number instanceof Double
                || number instanceof Float
                || number instanceof BigDecimal;
    }
}
