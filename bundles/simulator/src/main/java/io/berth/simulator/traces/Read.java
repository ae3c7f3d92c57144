package io.berth.simulator.traces;

import java.util.List;
import java.util.SortedMap;

/**
 * The content of a file.
 *
 * @param format of the file
 * @param items in the order of the file
 * @param holes how often something was unknown or left out, by kind
 */
public record Read<T>(String format, List<T> items, SortedMap<String, Long> holes) {

    public Read {
        items = List.copyOf(items);
    }
}
