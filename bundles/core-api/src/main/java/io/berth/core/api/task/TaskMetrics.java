package io.berth.core.api.task;

import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counters of a task.
 *
 * @param operators counters of each vertex of the chain
 * @param exchangedIn records received over inputs; {@code exchangedOut}: records emitted to outputs
 * @param counters named counters of the operators
 */
public record TaskMetrics(
        List<OperatorMetrics> operators, long exchangedIn, long exchangedOut, SortedMap<String, Long> counters) {

    public TaskMetrics {
        operators = List.copyOf(operators);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }

    /** Records in and out of one operator of the chain. */
    public record OperatorMetrics(String vertex, long recordsIn, long recordsOut) {}
}
