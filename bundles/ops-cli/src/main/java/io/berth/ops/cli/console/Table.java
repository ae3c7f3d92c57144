package io.berth.ops.cli.console;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;

/** Columns of text, as wide as their widest cell. */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... columns) {
        rows.add(List.of(columns));
    }

    public void row(Object... cells) {
        List<String> row = new ArrayList<>();
        for (Object cell : cells) {
            row.add(String.valueOf(cell).replaceAll("\\p{Cntrl}", " "));
        }
        rows.add(row);
    }

    public void print(PrintStream out) {
        int columns = rows.get(0).size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < columns; i++) {
                line.append(row.get(i)).append(" ".repeat(widths[i] - row.get(i).length() + 2));
            }
            out.println(line.toString().stripTrailing());
        }
    }
}
