package io.berth.benchmark.report;

import io.berth.benchmark.measure.Figures;
import io.berth.simulator.report.JsonText;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** A result as names and values, in the order in which they were added, printed as JSON or as a table. */
public final class Report implements Printable {

    private final Map<String, String> written = new LinkedHashMap<>();

    public Report text(String name, String value) {
        written.put(name, JsonText.quoted(value));
        return this;
    }

    public Report number(String name, long value) {
        written.put(name, Long.toString(value));
        return this;
    }

    /** The text of the value with that name. */
    String written(String name) {
        return Optional.ofNullable(written.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no field " + name));
    }

    /** Counts by name. */
    public Report counts(String name, SortedMap<String, Long> counts) {
        written.put(
                name,
                counts.entrySet().stream()
                        .map(count -> JsonText.quoted(count.getKey()) + ": " + count.getValue())
                        .collect(Collectors.joining(", ", "{", "}")));
        return this;
    }

    /** With one decimal place below 1,000. */
    public Report number(String name, double value) {
        written.put(name, String.format(Locale.ROOT, value < 1_000 ? "%.1f" : "%.0f", value));
        return this;
    }

    /** With two decimal places. */
    public Report ratio(String name, double value) {
        written.put(name, String.format(Locale.ROOT, "%.2f", value));
        return this;
    }

    public Report flag(String name, boolean value) {
        written.put(name, Boolean.toString(value));
        return this;
    }

    /** Median, minimum and maximum of a quantity for one of {@code units}. */
    public Report spread(String name, Figures.Spread spread, double units) {
        number(name, spread.median() / units);
        number(name + "Min", spread.least() / units);
        return number(name + "Max", spread.most() / units);
    }

    @Override
    public String json() {
        return written.entrySet().stream()
                .map(field -> "  \"" + field.getKey() + "\": " + field.getValue())
                .collect(Collectors.joining(",\n", "{\n", "\n}"));
    }

    /** One line for each value. */
    @Override
    public String table() {
        int width = written.keySet().stream().mapToInt(String::length).max().orElse(0);
        return written.entrySet().stream()
                .map(field -> String.format(
                        "%-" + width + "s  %s", field.getKey(), field.getValue().replace("\"", "")))
                .collect(Collectors.joining("\n"));
    }
}
