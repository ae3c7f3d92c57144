package io.berth.example.sort;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The command line of a tool: {@code --NAME VALUE} in any order, and other arguments. */
final class ToolOptions {

    private final Map<String, String> values;
    private final List<String> others = new ArrayList<>();

    /**
     * @param defaults all options by name
     * @throws IllegalArgumentException when an option is unknown or has no value
     */
    ToolOptions(Map<String, String> defaults, String... arguments) {
        values = new TreeMap<>(defaults);
        for (int i = 0; i < arguments.length; i++) {
            if (!arguments[i].startsWith("--")) {
                others.add(arguments[i]);
                continue;
            }
            String name = arguments[i].substring(2);
            if (!values.containsKey(name) || i + 1 == arguments.length) {
                throw new IllegalArgumentException(
                        "option " + arguments[i] + ": allowed are, with a value each, " + values.keySet());
            }
            values.put(name, arguments[++i]);
        }
    }

    String text(String name) {
        return Optional.ofNullable(values.get(name))
                .filter(value -> !value.isEmpty())
                .orElseThrow(() -> new IllegalArgumentException("option --" + name + " is missing"));
    }

    long number(String name, long minimum, long maximum) {
        String text = text(name);
        try {
            long number = Long.parseLong(text);
            if (number >= minimum && number <= maximum) {
                return number;
            }
        } catch (NumberFormatException failure) {
            // The exception below covers this case too.
        }
        throw new IllegalArgumentException("option --" + name + " is '" + text + "': allowed is a whole number from "
                + minimum + " to " + maximum);
    }

    List<String> others() {
        return others;
    }
}
