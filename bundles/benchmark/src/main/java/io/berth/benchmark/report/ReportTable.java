package io.berth.benchmark.report;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Results of the same kind, a line for each, under what they have in common. */
public final class ReportTable implements Printable {

    private final Report common;
    private final List<String> columns;
    private final List<Report> rows = new ArrayList<>();

    /** @param columns the fields of each row that a table shows; the JSON text has all */
    public ReportTable(Report common, List<String> columns) {
        this.common = common;
        this.columns = columns;
    }

    public void add(Report row) {
        rows.add(row);
    }

    @Override
    public String json() {
        String begin = common.json();
        return rows.stream()
                .map(row -> "    " + row.json().replace("\n", "\n    "))
                .collect(Collectors.joining(
                        ",\n", begin.substring(0, begin.length() - 2) + ",\n  \"rows\": [\n", "\n  ]\n}"));
    }

    @Override
    public String table() {
        List<List<String>> lines = new ArrayList<>(List.of(columns));
        for (Report row : rows) {
            lines.add(columns.stream()
                    .map(name -> row.written(name).replace("\"", ""))
                    .toList());
        }
        return lines.stream()
                .map(cells -> line(cells, lines))
                .collect(Collectors.joining("\n", common.table() + "\n\n", ""));
    }

    /** Each column is as wide as its widest cell. */
    private static String line(List<String> cells, List<List<String>> lines) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < cells.size(); column++) {
            int at = column;
            int width = lines.stream()
                    .mapToInt(other -> other.get(at).length())
                    .max()
                    .orElse(1);
            line.append(column == 0 ? "" : "  ").append(String.format("%" + width + "s", cells.get(column)));
        }
        return line.toString();
    }
}
