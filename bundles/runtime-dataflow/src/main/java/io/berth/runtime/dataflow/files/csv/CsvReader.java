package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.Collector;
import io.berth.dataflow.api.PermanentException;
import io.berth.dataflow.api.SplitReader;
import io.berth.dataflow.api.data.Columns;
import io.berth.dataflow.api.data.Row;
import io.berth.runtime.dataflow.files.FilePosition;
import io.berth.runtime.dataflow.files.FileSplit;
import io.berth.runtime.dataflow.files.LineLengths;
import io.berth.runtime.dataflow.files.csv.CsvParser.MalformedCsvException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records whose first byte lies in a split. A split that does not begin with the file begins one byte early and passes
 * over the line at that byte, so only files whose records are single lines may be cut.
 */
final class CsvReader implements SplitReader<Row> {

    private static final int CHUNK = 128 << 10;
    /** CR and LF. */
    private static final int LINE_END = 2;

    private static final byte[] BYTE_ORDER_MARK = "\ufeff".getBytes(StandardCharsets.UTF_8);

    private final FileSplit split;
    private final Settings settings;
    private final LineLengths lengths;
    private final Runnable skipped;
    private final CsvParser parser;
    private final FileChannel channel;
    private @Nullable Columns columns;
    private ColumnType[] types = new ColumnType[0];
    private byte[] buffer;
    /** Offset in the file of the buffer's first byte. */
    private long base;
    /** Where the next record starts in the buffer. */
    private int at;

    private int limit;
    private boolean last;
    private boolean skipping;

    /** @param skip whether to pass over records that are malformed, or have a value that is not of its type */
    record Settings(CsvFormat format, int recordBytes, boolean skip) {}

    /**
     * A reader of one split.
     *
     * @param lengths of the records that the task read before; those of this split are added
     * @param skipped is called for each record that is passed over
     */
    CsvReader(FileSplit split, Settings settings, LineLengths lengths, Runnable skipped) throws IOException {
        this.split = split;
        this.settings = settings;
        this.lengths = lengths;
        this.skipped = skipped;
        CsvFormat format = settings.format();
        this.parser = new CsvParser(format.delimiter(), format.multiline());
        this.buffer = new byte[Math.min(CHUNK, settings.recordBytes() + LINE_END)];
        this.channel = FileChannel.open(Path.of(split.file()), StandardOpenOption.READ);
        try {
            begin(format);
        } catch (IOException | RuntimeException failure) {
            channel.close();
            throw failure;
        }
    }

    private void begin(CsvFormat format) throws IOException {
        if (!format.columns().isEmpty()) {
            use(Columns.of(format.columns()));
        }
        if (format.header()) {
            header();
        } else {
            fill();
            skipMark();
        }
        if (split.start() > 0) {
            skipping = true;
            base = split.start() - 1;
            at = 0;
            limit = 0;
            last = false;
        }
    }

    /** Finds the first record that is not a blank line. A file of blank lines has no columns, and no records either. */
    private void header() throws IOException {
        fill();
        skipMark();
        int end;
        while (true) {
            try {
                end = parser.parse(buffer, at, limit, last);
            } catch (MalformedCsvException malformed) {
                throw refused(malformed.index(), String.valueOf(malformed.getMessage()));
            }
            if (end < 0) {
                requireRoom(false);
                fill();
                skipMark();
            } else if (!parser.isBlank()) {
                break;
            } else if (end >= limit && last) {
                at = limit;
                return;
            } else {
                at = end;
            }
        }
        if (columns == null) {
            List<String> names = new ArrayList<>();
            for (int field = 0; field < parser.count(); field++) {
                String name = parser.field(field);
                if (name == null || names.contains(name.trim())) {
                    throw refused(
                            parser.start(field),
                            "the header has '" + (name == null ? "" : name) + "' as name of column " + (field + 1)
                                    + "; allowed: a name for each column, each once");
                }
                names.add(name.trim());
            }
            use(Columns.of(names));
        }
        at = Math.min(end, limit);
    }

    private void use(Columns named) {
        columns = named;
        types = named.names().stream()
                .map(name -> settings.format().types().getOrDefault(name, ColumnType.STRING))
                .toArray(ColumnType[]::new);
        for (String typed : settings.format().types().keySet()) {
            if (named.indexOf(typed) < 0) {
                throw new PermanentException(
                        split.file() + " has no column '" + typed + "', to which types gives a type; it has " + named);
            }
        }
    }

    private void skipMark() {
        if (base == 0 && at == 0 && limit >= 3 && Arrays.equals(buffer, 0, 3, BYTE_ORDER_MARK, 0, 3)) {
            at = 3;
        }
    }

    @Override
    public boolean step(Collector<Row> out) throws IOException {
        fill();
        while (base + at < split.end() && at < limit) {
            if (skipping) {
                if (!passLine()) {
                    return more();
                }
                skipping = false;
                continue;
            }
            int start = at;
            int end;
            try {
                end = parser.parse(buffer, at, limit, last);
            } catch (MalformedCsvException malformed) {
                bad(malformed.index(), String.valueOf(malformed.getMessage()));
                // Fields before may have line ends in quotes: the next record begins after the line of the error.
                at = malformed.index();
                skipping = true;
                continue;
            }
            if (end < 0) {
                return more();
            }
            at = Math.min(end, limit);
            lengths.add(at - start);
            if (lengthOf(start) > settings.recordBytes()) {
                tooLong(start, settings.skip());
            } else if (!parser.isBlank()) {
                emit(start, out);
            }
        }
        return base + at < split.end() && !last;
    }

    private boolean more() {
        requireRoom(settings.skip());
        return !last;
    }

    /** Passes over the rest of a line; returns whether its end is here. */
    private boolean passLine() {
        for (int i = at; i < limit; i++) {
            if (buffer[i] == '\n') {
                at = i + 1;
                return true;
            }
        }
        at = limit;
        return false;
    }

    private void emit(int start, Collector<Row> out) throws IOException {
        Columns named = columns;
        if (named == null || parser.count() != named.size()) {
            bad(start, "a record of " + parser.count() + " fields; allowed: " + types.length + ", one for each column");
            return;
        }
        @Nullable Object[] values = new @Nullable Object[types.length];
        for (int field = 0; field < values.length; field++) {
            String text = parser.field(field);
            ColumnType type = types[field];
            if (text == null || type == ColumnType.STRING) {
                values[field] = text;
                continue;
            }
            Object value = type.read(text).orElse(null);
            if (value == null) {
                bad(
                        parser.start(field),
                        "'" + named.names().get(field) + "' is '" + text + "'; allowed: " + type.allowed());
                return;
            }
            values[field] = value;
        }
        out.collect(Row.of(named, values));
    }

    private void bad(int index, String problem) throws IOException {
        if (!settings.skip()) {
            throw refused(index, problem);
        }
        skipped.run();
    }

    /** Another attempt would read the same. */
    private PermanentException refused(int index, String problem) {
        int line = index;
        while (line > 0 && buffer[line - 1] != '\n') {
            line--;
        }
        return new PermanentException(
                FilePosition.of(split.file(), base + index) + ", column " + (index - line + 1) + ": " + problem);
    }

    @Override
    public OptionalLong recordsLeft() {
        return lengths.linesIn(split.end() - base - at);
    }

    /** Keeps the record that has begun, and reads more. */
    private void fill() throws IOException {
        if (at > 0) {
            System.arraycopy(buffer, at, buffer, 0, limit - at);
            base += at;
            limit -= at;
            at = 0;
        }
        int read = channel.read(ByteBuffer.wrap(buffer, limit, buffer.length - limit), base + limit);
        if (read < 0) {
            last = true;
        } else {
            limit += read;
        }
    }

    /** The record that begins at the start of the buffer is not complete. */
    private void requireRoom(boolean skip) {
        if (limit - at < buffer.length || last) {
            return;
        }
        if (buffer.length < settings.recordBytes() + LINE_END) {
            buffer = Arrays.copyOf(buffer, (int) Math.min(settings.recordBytes() + LINE_END, buffer.length * 2L));
            return;
        }
        tooLong(at, skip);
        // Either the quote of this field is not closed, or its line goes on.
        at = parser.incomplete();
        skipping = true;
    }

    private void tooLong(int start, boolean skip) {
        if (!skip) {
            throw new PermanentException(FilePosition.of(split.file(), base + start) + ": the record is longer than "
                    + settings.recordBytes() + " bytes; raise record.bytes, or look for a quote that is not closed");
        }
        skipped.run();
    }

    /** Of the record from here to where the next one begins, without the end of its line. */
    private int lengthOf(int start) {
        int end = at;
        if (end > start && buffer[end - 1] == '\n') {
            end--;
        }
        if (end > start && buffer[end - 1] == '\r') {
            end--;
        }
        return end - start;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
