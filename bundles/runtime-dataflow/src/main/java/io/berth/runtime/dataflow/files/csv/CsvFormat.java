package io.berth.runtime.dataflow.files.csv;

import io.berth.dataflow.api.Configuration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/**
 * How CSV files are written.
 *
 * @param header whether the first record has the names of the columns
 * @param columns their names, in the order of the file; empty when the header, or the first record that is written, gives them
 * @param types of columns that are not read as text
 * @param multiline whether fields in quotes may contain line ends
 */
record CsvFormat(
        char delimiter, boolean header, List<String> columns, Map<String, ColumnType> types, boolean multiline) {

    static CsvFormat of(Configuration configuration) {
        List<String> columns = configuration
                .find("columns")
                .map(names ->
                        Arrays.stream(names.split(",", -1)).map(String::trim).toList())
                .orElse(List.of());
        if (columns.contains("") || columns.stream().distinct().count() < columns.size()) {
            throw configuration.refused("columns", "names separated by commas, each once");
        }
        return new CsvFormat(
                delimiter(configuration),
                configuration.flag("header", true),
                columns,
                ColumnType.of(configuration, "types"),
                configuration.flag("multiline", true));
    }

    private static char delimiter(Configuration configuration) {
        String given = configuration.text("delimiter", ",");
        if (given.equals("tab")) {
            return '\t';
        }
        char first = given.isEmpty() ? '"' : given.charAt(0);
        if (given.length() != 1 || first >= 128 || first == '"' || first == '\n' || first == '\r') {
            throw configuration.refused(
                    "delimiter", "one ASCII character other than a quote or line end, or the word tab");
        }
        return first;
    }
}
