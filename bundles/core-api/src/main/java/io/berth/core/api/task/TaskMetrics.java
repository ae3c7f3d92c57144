package io.berth.core.api.task;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counters of a task.
 *
 * @param operators counters of each vertex of the chain
 * @param exchangedIn records received over inputs; {@code exchangedOut}: records emitted to outputs
 * @param counters named counters of the operators
 * @param activity what the time of the task was used for; empty when its runtime does not measure it
 */
public record TaskMetrics(
        List<OperatorMetrics> operators,
        long exchangedIn,
        long exchangedOut,
        SortedMap<String, Long> counters,
        Optional<Activity> activity) {

    public TaskMetrics {
        operators = List.copyOf(operators);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }

    /** Without measured times. */
    public TaskMetrics(
            List<OperatorMetrics> operators, long exchangedIn, long exchangedOut, SortedMap<String, Long> counters) {
        this(operators, exchangedIn, exchangedOut, counters, Optional.empty());
    }

    /** Records in and out of one operator of the chain. */
    public record OperatorMetrics(String vertex, long recordsIn, long recordsOut) {}

    /**
     * What the time of a task was used for, in sums since it began, on the clock of its worker. It works in the time that
     * is neither idle nor back-pressured.
     *
     * @param elapsedMicros since the task began
     * @param idleMicros in which it waited for input or for a split
     * @param backPressuredMicros in which it waited for its consumers
     * @param backlogRecords that remain in the split that a source reads; empty when it does not know, or is no source
     * @param lagMillis how far a source lags behind the newest record; empty when it does not know, or is no source
     */
    public record Activity(
            long elapsedMicros,
            long idleMicros,
            long backPressuredMicros,
            Optional<Long> backlogRecords,
            Optional<Long> lagMillis) {}
}
