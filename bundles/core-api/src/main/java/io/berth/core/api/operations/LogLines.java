package io.berth.core.api.operations;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes lines of the text of a log, which comes in pieces. Control characters in them are replaced, because the texts of
 * others must not control the terminal. For one thread.
 */
public final class LogLines {

    /** A longer line is shown as several ones. */
    private static final int MAX_LINE = 64 << 10;

    private final StringBuilder rest = new StringBuilder();

    /** The lines that a piece completes. */
    public List<String> add(String text) {
        List<String> lines = new ArrayList<>();
        int begin = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', begin)) {
            rest.append(text, begin, end);
            lines.add(take());
            begin = end + 1;
        }
        rest.append(text, begin, text.length());
        if (rest.length() > MAX_LINE) {
            lines.add(take());
        }
        return lines;
    }

    /** As {@link #add(String)}, of a piece that ends with a whole character. */
    public List<String> add(byte[] text) {
        return add(new String(text, StandardCharsets.UTF_8));
    }

    /** What is left after the last piece: one line, or nothing. */
    public List<String> end() {
        return rest.isEmpty() ? List.of() : List.of(take());
    }

    private String take() {
        String line = rest.toString().replace("\r", "");
        rest.setLength(0);
        return PlainText.of(line);
    }
}
