package io.berth.simulator.report;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Texts in JSON. */
public final class JsonText {

    private JsonText() {}

    /** The text in quotes, with characters escaped as JSON requires. */
    public static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (char one : text.toCharArray()) {
            if (one == '"' || one == '\\') {
                quoted.append('\\').append(one);
            } else if (one < ' ') {
                quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) one));
            } else {
                quoted.append(one);
            }
        }
        return quoted.append('"').toString();
    }

    /** An object whose members are texts. */
    public static String quoted(Map<String, String> members) {
        return members.entrySet().stream()
                .map(member -> quoted(member.getKey()) + ": " + quoted(member.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }
}
