package io.berth.spi.scaling;

/**
 * What is measured about each task of a vertex over the window of the view. Metrics may be added, so a {@code switch}
 * needs a default.
 *
 * <p>The shares of a task are from 0 to 1, and {@link #BUSY}, {@link #IDLE} and {@link #BACK_PRESSURED} sum to 1.
 * Vertices that forward edges chain into one task have the shares of that task.
 */
public enum TaskMetric {
    /** Records that the task receives per second. */
    RECORDS_IN,
    /** Records that the task emits per second. */
    RECORDS_OUT,
    /** Share of time in which the task works. */
    BUSY,
    /** Share of time in which the task waits for input or for a split. */
    IDLE,
    /** Share of time in which the task waits because its consumers do not take what it emits. */
    BACK_PRESSURED
}
