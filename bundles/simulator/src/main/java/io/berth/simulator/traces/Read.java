package io.berth.simulator.traces;

import java.util.List;
import java.util.SortedMap;

/**
 * What was read of a file.
 *
 * @param format that it has
 * @param items in the order of the file
 * @param holes how often something was not known or left out, by what it is
 */
public record Read<T>(String format, List<T> items, SortedMap<String, Long> holes) {

    public Read {
        items = List.copyOf(items);
    }
}
