package io.berth.core.api.job;

import java.util.Optional;

/**
 * What was measured about a vertex. What is not known is empty, never 0.
 *
 * @param tasks over the window, of the tasks that ran in all of it; empty when there is none
 * @param backlogSplits splits of a source that no task has received
 * @param backlogRecords records of a source that remain in the splits that its tasks read
 * @param lagMillis how far the task of a source that is furthest behind lags
 */
public record VertexMeasures(
        Optional<TaskMeasures> tasks,
        Optional<Long> backlogSplits,
        Optional<Long> backlogRecords,
        Optional<Long> lagMillis) {

    /** Nothing is known. */
    public static final VertexMeasures NONE =
            new VertexMeasures(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * The tasks of a vertex. Shares are from 0 to 1; those of a task sum to 1.
     *
     * @param count tasks that were measured, at least 1
     * @param recordsIn records received per second; {@code recordsOut}: emitted per second
     * @param busy share of time in which a task works
     * @param idle share of time in which it waits for input or for a split
     * @param backPressured share of time in which it waits for its consumers
     */
    public record TaskMeasures(
            int count, Spread recordsIn, Spread recordsOut, Spread busy, Spread idle, Spread backPressured) {}

    /** Mean and greatest value over the tasks of a vertex. */
    public record Spread(double mean, double greatest) {}
}
