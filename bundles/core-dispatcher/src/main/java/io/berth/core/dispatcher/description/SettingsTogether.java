package io.berth.core.dispatcher.description;

import io.berth.core.api.job.Problem;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Checks settings of one built-in operator that depend on each other. Each is right by itself. For one vertex. */
final class SettingsTogether {

    private static final long LEAST_RETRY_MILLIS = 100;

    private final String path;
    private final Map<String, String> given;
    private final List<Problem> problems;

    /** @param path of the settings, with the dot after it */
    SettingsTogether(String path, Map<String, String> given, List<Problem> problems) {
        this.path = path;
        this.given = given;
        this.problems = problems;
    }

    void check(String operator) {
        switch (operator) {
            case "csv-source" -> csvSource();
            case "generator" -> generator();
            case "socket-source" -> socketSource();
            default -> {
                // Its settings do not depend on each other.
            }
        }
    }

    private void csvSource() {
        if (is("header", "false") && !given.containsKey("columns")) {
            problems.add(new Problem(
                    path + "columns",
                    "missing",
                    "the names of the columns, separated by commas, because header is false"));
        }
        if (!is("multiline", "false")) {
            refuse(
                    "split.bytes",
                    "only with multiline: false, because a record of several lines cannot be found from the middle of a"
                            + " file");
        }
        String columns = given.get("columns");
        String types = given.get("types");
        if (columns != null && types != null && !Setting.parts(columns).containsAll(Setting.typedColumns(types))) {
            refuse("types", "types of the columns " + columns);
        }
    }

    private void generator() {
        boolean random = is("values", "random");
        for (String key : random ? List.of("start") : List.of("seed", "minimum", "maximum")) {
            refuse(key, "only with values: " + (random ? "sequence" : "random"));
        }
        long minimum = number("minimum", 0);
        if (random && number("maximum", Long.MAX_VALUE) < minimum) {
            refuse("maximum", "at least minimum, " + minimum);
        }
    }

    private void socketSource() {
        long least = number("retry.min.ms", LEAST_RETRY_MILLIS);
        if (number("retry.max.ms", Long.MAX_VALUE) < least) {
            refuse("retry.max.ms", "at least retry.min.ms, " + least);
        }
    }

    private boolean is(String key, String value) {
        return value.equals(given.get(key));
    }

    private long number(String key, long otherwise) {
        return Optional.ofNullable(given.get(key))
                .map(value -> Long.parseLong(value.trim()))
                .orElse(otherwise);
    }

    /** A problem if the setting is given. */
    private void refuse(String key, String allowed) {
        String value = given.get(key);
        if (value != null) {
            problems.add(new Problem(path + key, "'" + value + "'", allowed));
        }
    }
}
