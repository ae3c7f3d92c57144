package io.berth.simulator.traces;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** One line of a trace, cut into fields. It knows where each field starts. */
final class Row {

    private final TraceFile file;
    private final List<String> texts = new ArrayList<>();
    private final List<Integer> columns = new ArrayList<>();

    private Row(TraceFile file) {
        this.file = file;
    }

    /** Fields with a separator between them. A quoted field may contain the separator, and quotes written twice. */
    static Row separated(TraceFile file, String line, char separator) {
        Row row = new Row(file);
        int at = 0;
        while (at <= line.length()) {
            int begin = at;
            StringBuilder text = new StringBuilder();
            if (at < line.length() && line.charAt(at) == '"' && separator == ',') {
                at = row.quoted(line, at, text);
            } else {
                int end = line.indexOf(separator, at);
                at = end < 0 ? line.length() : end;
                text.append(line, begin, at);
            }
            row.add(text.toString().strip(), begin + 1);
            at++;
        }
        return row;
    }

    private int quoted(String line, int quote, StringBuilder text) {
        int at = quote + 1;
        while (at < line.length()) {
            if (line.charAt(at) == '"') {
                if (at + 1 < line.length() && line.charAt(at + 1) == '"') {
                    at++;
                } else if (at + 1 == line.length() || line.charAt(at + 1) == ',') {
                    return at + 1;
                } else {
                    throw file.bad(
                            at + 2,
                            "'" + line.charAt(at + 1) + "' follows a field in quotes: allowed are a comma"
                                    + " and the end of the line");
                }
            }
            text.append(line.charAt(at++));
        }
        throw file.bad(quote + 1, "a quote is opened but not closed: close it in the same line");
    }

    /** Fields separated by blanks. */
    static Row blanks(TraceFile file, String line) {
        Row row = new Row(file);
        int at = 0;
        while (at < line.length()) {
            int begin = at;
            while (at < line.length() && line.charAt(at) > ' ') {
                at++;
            }
            if (at > begin) {
                row.add(line.substring(begin, at), begin + 1);
            }
            at++;
        }
        return row;
    }

    private void add(String text, int column) {
        texts.add(text);
        columns.add(column);
    }

    int size() {
        return texts.size();
    }

    List<String> texts() {
        return List.copyOf(texts);
    }

    String text(int index) {
        return texts.get(index);
    }

    boolean isBlank(int index) {
        return texts.get(index).isEmpty();
    }

    /** Rejects the line unless it has that many fields. */
    void requireSize(int size, String fields) {
        if (texts.size() != size) {
            int column =
                    texts.size() > size ? columns.get(size) : columns.isEmpty() ? 1 : columns.get(texts.size() - 1);
            throw file.bad(column, "the line has " + texts.size() + " fields: allowed are " + size + ": " + fields);
        }
    }

    BadTrace bad(int index, String field, String allowed) {
        return file.bad(columns.get(index), "field " + field + " is '" + texts.get(index) + "': allowed is " + allowed);
    }

    /** A whole number within bounds. */
    long whole(int index, String field, long least, long most) {
        try {
            long value = Long.parseLong(texts.get(index));
            if (value >= least && value <= most) {
                return value;
            }
        } catch (NumberFormatException bad) {
            // Reported below, like a number out of bounds.
        }
        throw bad(index, field, "a whole number from " + least + " to " + most);
    }

    /** The same, or -1 for an unknown value. */
    OptionalLong wholeOrUnknown(int index, String field, long least, long most) {
        if (texts.get(index).equals("-1")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(whole(index, field, least, most));
        } catch (BadTrace bad) {
            throw bad(index, field, "a whole number from " + least + " to " + most + ", or -1 when unknown");
        }
    }

    /** A number with up to three decimal places, in thousandths. */
    long thousandths(int index, String field, long least, long most) {
        try {
            long value = new BigDecimal(texts.get(index)).movePointRight(3).longValueExact();
            if (value >= least && value <= most) {
                return value;
            }
        } catch (ArithmeticException | NumberFormatException bad) {
            // Reported below, like a number out of bounds.
        }
        throw bad(
                index,
                field,
                "a number from " + decimal(least) + " to " + decimal(most) + " with at most three decimal places");
    }

    private static String decimal(long thousandths) {
        return BigDecimal.valueOf(thousandths, 3).stripTrailingZeros().toPlainString();
    }
}
