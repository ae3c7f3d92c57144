package io.berth.simulator.traces;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** The first line of a table: the names of its columns. */
final class Header {

    private final List<String> names;

    /**
     * @param needed required columns
     * @param allowed optional columns
     * @param prefix of further optional columns; empty: none
     */
    Header(Row row, List<String> needed, List<String> allowed, String prefix) {
        names = new ArrayList<>();
        String may = String.join(", ", needed)
                + (allowed.isEmpty() ? "" : ", " + String.join(", ", allowed))
                + (prefix.isEmpty() ? "" : " and " + prefix + "NAME");
        for (int index = 0; index < row.size(); index++) {
            String name = row.text(index);
            boolean known = needed.contains(name)
                    || allowed.contains(name)
                    || !prefix.isEmpty() && name.startsWith(prefix) && name.length() > prefix.length();
            if (!known || names.contains(name)) {
                throw row.bad(index, "column", (known ? "each once: " : "one of ") + may);
            }
            names.add(name);
        }
        for (String name : needed) {
            if (!names.contains(name)) {
                throw row.bad(
                        row.size() - 1,
                        "last column",
                        "a header with " + name + ", which is missing; allowed are " + may);
            }
        }
    }

    int size() {
        return names.size();
    }

    String all() {
        return String.join(",", names);
    }

    String name(int index) {
        return names.get(index);
    }

    int index(String name) {
        return names.indexOf(name);
    }

    /** The index of the column, if it exists. */
    OptionalInt find(String name) {
        int index = names.indexOf(name);
        return index < 0 ? OptionalInt.empty() : OptionalInt.of(index);
    }

    /** Text of an optional column; empty when the column is missing. */
    String text(Row row, String name) {
        int index = names.indexOf(name);
        return index < 0 ? "" : row.text(index);
    }

    /** Columns with a prefix, by the rest of their name. */
    SortedMap<String, Integer> behind(String prefix) {
        SortedMap<String, Integer> found = new TreeMap<>();
        for (int index = 0; index < names.size(); index++) {
            if (names.get(index).startsWith(prefix)) {
                found.put(names.get(index).substring(prefix.length()), index);
            }
        }
        return found;
    }
}
