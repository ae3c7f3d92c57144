package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.files.AnyRow;
import io.berth.runtime.dataflow.files.Encoder;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes rows as CSV. The columns are those that are configured, else those of the first record of the sink. A record with a column
 * beside them is refused; missing ones are empty.
 */
final class CsvEncoder implements Encoder {

    private final CsvFormat format;
    private final AnyRow rows = new AnyRow();
    private @Nullable Columns columns;
    private boolean begins;

    CsvEncoder(CsvFormat format) {
        this.format = format;
        if (!format.columns().isEmpty()) {
            columns = Columns.of(format.columns());
        }
    }

    @Override
    public void begin() {
        begins = true;
    }

    @Override
    public void write(Object record, OutputStream out) throws IOException {
        Row row = rows.of(record);
        Columns named = columns;
        if (named == null) {
            named = row.columns();
            columns = named;
        }
        StringBuilder line = new StringBuilder();
        if (begins && format.header()) {
            for (int place = 0; place < named.size(); place++) {
                append(line, named.names().get(place), place);
            }
            line.append('\n');
        }
        begins = false;
        int written = line.length();
        boolean same = row.columns().equals(named);
        if (!same && format.columns().isEmpty()) {
            requireKnown(row, named);
        }
        for (int place = 0; place < named.size(); place++) {
            String name = named.names().get(place);
            Object value = same ? row.at(place) : row.find(name).orElse(null);
            if (value instanceof Row || value instanceof List<?>) {
                throw new PermanentException(
                        "column '" + name + "' is " + value
                                + "; allowed in CSV: a text, number, truth value or time. Emit its parts as columns, or use json-sink");
            }
            append(line, value, place);
        }
        if (named.size() == 1 && line.length() == written) {
            // An empty line is no record.
            line.append("\"\"");
        }
        out.write(line.append('\n').toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void requireKnown(Row row, Columns named) {
        for (String name : row.columns().names()) {
            if (named.indexOf(name) < 0) {
                throw new PermanentException("a record has the column '" + name + "', and the first one had " + named
                        + "; allowed: those, or the configuration columns of csv-sink with the ones to write");
            }
        }
    }

    private void append(StringBuilder line, @Nullable Object value, int place) {
        if (place > 0) {
            line.append(format.delimiter());
        }
        if (value == null) {
            return;
        }
        String text = value.toString();
        if (text.isEmpty() && value instanceof String) {
            // An empty text is another thing than a missing one.
            line.append("\"\"");
        } else if (needsQuotes(text)) {
            line.append('"').append(text.replace("\"", "\"\"")).append('"');
        } else {
            line.append(text);
        }
    }

    private boolean needsQuotes(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            if (each == format.delimiter() || each == '"' || each == '\n' || each == '\r') {
                return true;
            }
        }
        return false;
    }
}
