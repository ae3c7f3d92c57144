package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The workers that are needed, by name of the spec. Immutable.
 *
 * @param needed how many workers of each spec, including registered ones, at least 0; 0 for a spec that is not named
 * @param unwanted workers that the backend may stop
 */
public record WorkerDeclaration(SortedMap<String, Integer> needed, List<WorkerId> unwanted) {

    public WorkerDeclaration {
        needed = Collections.unmodifiableSortedMap(new TreeMap<>(needed));
        unwanted = List.copyOf(unwanted);
        needed.forEach((spec, count) -> {
            if (count < 0) {
                throw new IllegalArgumentException(
                        "needed workers of spec '" + spec + "' is " + count + ": at least 0 is allowed");
            }
        });
    }
}
