package io.berth.spi.backend;

import io.berth.spi.WorkerId;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The workers that are needed, by the name of the spec. Immutable.
 *
 * @param needed how many workers of each spec, registered ones included, at least 0; a spec that is not named: 0
 * @param unwanted workers that may be stopped
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
