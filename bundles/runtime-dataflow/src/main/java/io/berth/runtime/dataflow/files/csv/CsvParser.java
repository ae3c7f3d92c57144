package io.berth.runtime.dataflow.files.csv;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Finds the fields of one record by RFC 4180: separated by a delimiter, and in quotes where they contain delimiters, quotes (twice)
 * or line ends. A record ends with LF, CR LF or the end of the input. For one thread.
 */
final class CsvParser {

    private static final byte QUOTE = '"';

    private final byte delimiter;
    private final boolean multiline;
    private byte[] array = new byte[0];
    private int[] starts = new int[16];
    private int[] ends = new int[16];
    private boolean[] quoted = new boolean[16];
    private int count;
    /** Where the field begins that was read last. */
    private int field;

    /** A record is malformed at an index of the array. */
    static final class MalformedCsvException extends Exception {

        private static final long serialVersionUID = 1L;

        private final int index;

        MalformedCsvException(int index, String problem) {
            super(problem);
            this.index = index;
        }

        int index() {
            return index;
        }
    }

    /** @param multiline whether a field in quotes may contain line ends */
    CsvParser(char delimiter, boolean multiline) {
        this.delimiter = (byte) delimiter;
        this.multiline = multiline;
    }

    /**
     * Parses the record that begins at {@code from}.
     *
     * @param last whether nothing follows {@code limit}
     * @return the index after the record, or -1 if more bytes are needed
     */
    int parse(byte[] bytes, int from, int limit, boolean last) throws MalformedCsvException {
        array = bytes;
        count = 0;
        int at = from;
        while (true) {
            field = at;
            int end = at < limit && bytes[at] == QUOTE ? inQuotes(at, limit, last) : plain(at, limit, last);
            if (end < 0) {
                return -1;
            }
            if (end >= limit) {
                return limit;
            }
            if (bytes[end] == delimiter) {
                at = end + 1;
            } else {
                return bytes[end] == '\r' ? end + 2 : end + 1;
            }
        }
    }

    /** Returns where the field ends: at a delimiter, a line end, or the limit. */
    private int plain(int from, int limit, boolean last) throws MalformedCsvException {
        for (int i = from; i < limit; i++) {
            byte each = array[i];
            if (each == delimiter || each == '\n') {
                add(from, i, false);
                return i;
            } else if (each == '\r' && i + 1 < limit && array[i + 1] == '\n') {
                add(from, i, false);
                return i;
            } else if (each == QUOTE) {
                throw new MalformedCsvException(
                        i,
                        "a quote within a field that does not begin with one; allowed: quotes"
                                + " around the whole field, and each quote within twice");
            }
        }
        if (!last) {
            return -1;
        }
        int end = limit > from && array[limit - 1] == '\r' ? limit - 1 : limit;
        add(from, end, false);
        return limit;
    }

    private int inQuotes(int from, int limit, boolean last) throws MalformedCsvException {
        int i = from + 1;
        while (i < limit) {
            if (array[i] == '\n' && !multiline) {
                throw new MalformedCsvException(
                        from,
                        "a quote that is not closed in its line; allowed: line ends within"
                                + " quotes only with multiline = true");
            }
            if (array[i] != QUOTE) {
                i++;
                continue;
            }
            if (i + 1 < limit && array[i + 1] == QUOTE) {
                i += 2;
                continue;
            }
            // The quote may be the first of two, and CR may begin a line end.
            boolean decided = i + 1 < limit && (array[i + 1] != '\r' || i + 2 < limit);
            if (!decided && !last) {
                return -1;
            }
            int after = i + 1;
            boolean ends = after >= limit
                    || array[after] == delimiter
                    || array[after] == '\n'
                    || array[after] == '\r' && (after + 1 >= limit || array[after + 1] == '\n');
            if (!ends) {
                throw new MalformedCsvException(
                        after, "text after the closing quote of a field; allowed: a delimiter or the end of the line");
            }
            add(from + 1, i, true);
            return after;
        }
        if (last) {
            throw new MalformedCsvException(from, "a quote that is not closed before the end of the file");
        }
        return -1;
    }

    private void add(int start, int end, boolean inQuotes) {
        if (count == starts.length) {
            starts = Arrays.copyOf(starts, count * 2);
            ends = Arrays.copyOf(ends, count * 2);
            quoted = Arrays.copyOf(quoted, count * 2);
        }
        starts[count] = start;
        ends[count] = end;
        quoted[count] = inQuotes;
        count++;
    }

    /** Where the field begins that is not complete, after more bytes were needed. */
    int incomplete() {
        return field;
    }

    /** How many fields the record has. */
    int count() {
        return count;
    }

    /** The index where a field begins, without its quote. */
    int start(int field) {
        return starts[field];
    }

    /** Whether the record is an empty line. */
    boolean isBlank() {
        return count == 1 && !quoted[0] && starts[0] == ends[0];
    }

    /** A field as text; null if it is empty and not in quotes. */
    @Nullable
    String field(int field) {
        int start = starts[field];
        int end = ends[field];
        if (start == end && !quoted[field]) {
            return null;
        }
        String text = new String(array, start, end - start, StandardCharsets.UTF_8);
        return quoted[field] ? text.replace("\"\"", "\"") : text;
    }
}
