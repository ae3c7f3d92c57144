package io.berth.dataflow.api.data;

import io.berth.dataflow.api.RecordInput;
import io.berth.dataflow.api.RecordOutput;
import io.berth.dataflow.api.Serializer;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows. A row begins with the number of its columns in a table that grows with the output, or with their names; a row in a
 * row always has its names. For one thread.
 */
final class RowSerializer implements Serializer<Row> {

    /** Different columns per output that are remembered; rows of others have all names. */
    private static final int MAX_KNOWN = 256;

    private static final int MAX_DEPTH = 500;

    private static final int INLINE = 0;
    private static final int FIRST = 1;
    private static final int NEXT = 2;
    /** Numbers of columns begin here. */
    private static final int KNOWN = 3;

    private static final int NULL = 0;
    private static final int TEXT = 1;
    private static final int WHOLE = 2;
    private static final int NUMBER = 3;
    private static final int FALSE = 4;
    private static final int TRUE = 5;
    private static final int DECIMAL = 6;
    private static final int INSTANT = 7;
    private static final int LIST = 8;
    private static final int ROW = 9;

    private @Nullable RecordOutput output;
    private final Map<Columns, Integer> written = new HashMap<>();
    private @Nullable Columns last;
    private int lastNumber;
    private final List<Columns> read = new ArrayList<>();

    @Override
    public void write(Row row, RecordOutput out) {
        Columns columns = row.columns();
        boolean begins = out != output;
        if (!begins && columns == last) {
            out.writeVarInt(KNOWN + lastNumber);
        } else {
            if (begins) {
                output = out;
                written.clear();
            }
            columns(columns, begins, out);
        }
        for (int place = 0; place < columns.size(); place++) {
            value(row.at(place), 0, out);
        }
    }

    private void columns(Columns columns, boolean begins, RecordOutput out) {
        Integer number = written.get(columns);
        if (number == null && written.size() == MAX_KNOWN) {
            out.writeVarInt(INLINE);
            names(columns, out);
            return;
        }
        if (number == null) {
            number = written.size();
            written.put(columns, number);
            out.writeVarInt(begins ? FIRST : NEXT);
            names(columns, out);
        } else {
            out.writeVarInt(KNOWN + number);
        }
        last = columns;
        lastNumber = number;
    }

    private static void names(Columns columns, RecordOutput out) {
        out.writeVarInt(columns.size());
        columns.names().forEach(name -> text(name, out));
    }

    @Override
    public Row read(RecordInput in) {
        Columns columns = columns(in);
        return Row.trusted(columns, values(in, columns.size(), 0));
    }

    private Columns columns(RecordInput in) {
        int tag = in.readVarInt();
        if (tag >= KNOWN) {
            if (tag - KNOWN >= read.size()) {
                throw new IllegalStateException("malformed row: it has the columns number " + (tag - KNOWN) + " of "
                        + read.size() + " known ones; read an input from its beginning");
            }
            return read.get(tag - KNOWN);
        }
        Columns columns = namedColumns(in);
        if (tag == FIRST) {
            read.clear();
        }
        if (tag != INLINE) {
            read.add(columns);
        }
        return columns;
    }

    private static Columns namedColumns(RecordInput in) {
        int size = in.readVarInt();
        List<String> names = new ArrayList<>(Math.max(0, Math.min(size, in.remaining())));
        for (int i = 0; i < size; i++) {
            names.add(text(in));
        }
        return Columns.of(names);
    }

    private void value(@Nullable Object value, int depth, RecordOutput out) {
        if (depth > MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "a row has rows and lists in more than " + MAX_DEPTH + " levels; allowed: at most that many");
        }
        if (value == null) {
            out.writeByte(NULL);
        } else if (value instanceof String text) {
            out.writeByte(TEXT);
            text(text, out);
        } else if (value instanceof Long number) {
            out.writeByte(WHOLE);
            whole(number, out);
        } else if (value instanceof Double number) {
            out.writeByte(NUMBER);
            out.writeLong(Double.doubleToRawLongBits(number));
        } else if (value instanceof Boolean flag) {
            out.writeByte(flag ? TRUE : FALSE);
        } else if (value instanceof BigDecimal number) {
            out.writeByte(DECIMAL);
            byte[] unscaled = number.unscaledValue().toByteArray();
            out.writeVarInt(unscaled.length);
            out.writeBytes(unscaled, 0, unscaled.length);
            whole(number.scale(), out);
        } else if (value instanceof Instant instant) {
            out.writeByte(INSTANT);
            whole(instant.getEpochSecond(), out);
            out.writeVarInt(instant.getNano());
        } else if (value instanceof List<?> list) {
            out.writeByte(LIST);
            out.writeVarInt(list.size());
            list.forEach(each -> value(each, depth + 1, out));
        } else {
            Row row = (Row) value;
            out.writeByte(ROW);
            names(row.columns(), out);
            for (int place = 0; place < row.columns().size(); place++) {
                value(row.at(place), depth + 1, out);
            }
        }
    }

    private static @Nullable Object value(RecordInput in, int depth) {
        if (depth > MAX_DEPTH) {
            throw new IllegalStateException("malformed row: rows and lists in it, more than " + MAX_DEPTH + " levels");
        }
        int type = in.readByte();
        return switch (type) {
            case NULL -> null;
            case TEXT -> text(in);
            case WHOLE -> whole(in);
            case NUMBER -> Double.longBitsToDouble(in.readLong());
            case FALSE -> false;
            case TRUE -> true;
            case DECIMAL -> {
                int length = in.readVarInt();
                int start = in.skip(length);
                byte[] unscaled = Arrays.copyOfRange(in.array(), start, start + length);
                yield new BigDecimal(new BigInteger(unscaled), (int) whole(in));
            }
            case INSTANT -> Instant.ofEpochSecond(whole(in), in.readVarInt());
            case LIST -> {
                int size = in.readVarInt();
                List<@Nullable Object> list = new ArrayList<>(Math.max(0, Math.min(size, in.remaining())));
                for (int i = 0; i < size; i++) {
                    list.add(value(in, depth + 1));
                }
                yield Collections.unmodifiableList(list);
            }
            case ROW -> {
                Columns columns = namedColumns(in);
                yield Row.trusted(columns, values(in, columns.size(), depth + 1));
            }
            default -> throw new IllegalStateException("malformed row: a value of type " + type);
        };
    }

    private static @Nullable Object[] values(RecordInput in, int size, int depth) {
        @Nullable Object[] values = new @Nullable Object[size];
        for (int place = 0; place < size; place++) {
            values[place] = value(in, depth);
        }
        return values;
    }

    private static void whole(long value, RecordOutput out) {
        out.writeVarLong(value << 1 ^ value >> 63);
    }

    private static long whole(RecordInput in) {
        long coded = in.readVarLong();
        return coded >>> 1 ^ -(coded & 1);
    }

    private static void text(String text, RecordOutput out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.writeVarInt(bytes.length);
        out.writeBytes(bytes, 0, bytes.length);
    }

    private static String text(RecordInput in) {
        int length = in.readVarInt();
        int start = in.skip(length);
        return new String(in.array(), start, length, StandardCharsets.UTF_8);
    }

    @Override
    public Row copy(Row record) {
        return record;
    }
}
