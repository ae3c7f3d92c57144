package io.berth.dataflow.api.data;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The names of the columns of rows, in their order. Rows share them. Immutable and thread-safe. */
public final class Columns {

    private final List<String> names;
    private final Map<String, Integer> places;

    private Columns(List<String> names) {
        this.names = List.copyOf(names);
        this.places = new HashMap<>();
        for (int place = 0; place < names.size(); place++) {
            if (places.putIfAbsent(names.get(place), place) != null) {
                throw new IllegalArgumentException(
                        "column '" + names.get(place) + "' twice in " + names + "; allowed: each name once");
            }
        }
    }

    /** Columns of these names, each once. */
    public static Columns of(List<String> names) {
        return new Columns(names);
    }

    /** Columns of these names, each once. */
    public static Columns of(String... names) {
        return new Columns(List.of(names));
    }

    /** The names in their order. */
    public List<String> names() {
        return names;
    }

    /** How many there are. */
    public int size() {
        return names.size();
    }

    /** The place of the column, from 0; -1 if there is none of that name. */
    public int indexOf(String name) {
        Integer place = places.get(name);
        return place == null ? -1 : place;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Columns that && names.equals(that.names);
    }

    @Override
    public int hashCode() {
        return names.hashCode();
    }

    @Override
    public String toString() {
        return names.toString();
    }
}
