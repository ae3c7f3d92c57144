package io.berth.core.api.job;

import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What was measured about a job. What is not known is empty, never 0.
 *
 * @param windowMillis how much time the figures of its tasks cover; empty when nothing was measured
 * @param vertices in the order of the job graph; empty when nothing is known of any
 * @param lastRescaleMillis from the moment when the last rescale stopped the tasks until all tasks ran again
 * @param room of the slot sharing groups, as the ResourceManager said last; empty when it did not
 */
public record JobMeasures(
        Optional<Long> windowMillis,
        List<VertexMeasures> vertices,
        Optional<Long> lastRescaleMillis,
        List<GroupRoom> room) {

    /** Nothing is known. */
    public static final JobMeasures NONE = new JobMeasures(Optional.empty(), List.of(), Optional.empty(), List.of());

    public JobMeasures {
        vertices = List.copyOf(vertices);
        room = List.copyOf(room);
    }

    /** Of the group with that name; empty if it is not known. */
    public Optional<GroupRoom> room(String group) {
        return room.stream().filter(one -> one.group().equals(group)).findFirst();
    }

    /** Of the vertex with that index. */
    public VertexMeasures vertex(int index) {
        return index < vertices.size() ? vertices.get(index) : VertexMeasures.NONE;
    }

    /** What is worth to be remembered of these figures. */
    public Means means() {
        if (windowMillis.isEmpty()
                && vertices.stream().allMatch(vertex -> vertex.tasks().isEmpty())) {
            return Means.NONE;
        }
        double[] values = new double[vertices.size() * Means.FIGURES];
        Arrays.fill(values, Double.NaN);
        for (int vertex = 0; vertex < vertices.size(); vertex++) {
            Optional<TaskMeasures> tasks = vertices.get(vertex).tasks();
            if (tasks.isPresent()) {
                Means.fill(values, vertex * Means.FIGURES, tasks.get());
            }
        }
        return new Means(windowMillis, values);
    }

    /**
     * The means over the tasks of each vertex. Compact, because a job remembers many of them. Equal ones are equal bit by
     * bit. Immutable.
     */
    public static final class Means {

        /** Nothing was measured. */
        public static final Means NONE = new Means(Optional.empty(), new double[0]);

        /** How many values a vertex has. */
        public static final int FIGURES = 5;

        private final Optional<Long> windowMillis;
        private final double[] values;

        private Means(Optional<Long> windowMillis, double[] values) {
            this.windowMillis = windowMillis;
            this.values = values;
        }

        /** @param values those of {@link #values} */
        public static Means of(Optional<Long> windowMillis, double[] values) {
            return windowMillis.isEmpty() && values.length == 0 ? NONE : new Means(windowMillis, values.clone());
        }

        private static void fill(double[] values, int at, TaskMeasures tasks) {
            values[at] = tasks.recordsIn().mean();
            values[at + 1] = tasks.recordsOut().mean();
            values[at + 2] = tasks.busy().mean();
            values[at + 3] = tasks.idle().mean();
            values[at + 4] = tasks.backPressured().mean();
        }

        /** Whether anything was measured. */
        public boolean isKnown() {
            return this != NONE;
        }

        public Optional<Long> windowMillis() {
            return windowMillis;
        }

        /**
         * {@link #FIGURES} for each vertex: records in, records out, busy, idle, back-pressured; not a number where
         * nothing is known.
         */
        public double[] values() {
            return values.clone();
        }

        private OptionalDouble value(int vertex, int figure) {
            int index = vertex * FIGURES + figure;
            return index >= values.length || Double.isNaN(values[index])
                    ? OptionalDouble.empty()
                    : OptionalDouble.of(values[index]);
        }

        public OptionalDouble recordsIn(int vertex) {
            return value(vertex, 0);
        }

        public OptionalDouble recordsOut(int vertex) {
            return value(vertex, 1);
        }

        public OptionalDouble busy(int vertex) {
            return value(vertex, 2);
        }

        public OptionalDouble idle(int vertex) {
            return value(vertex, 3);
        }

        public OptionalDouble backPressured(int vertex) {
            return value(vertex, 4);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Means means
                    && windowMillis.equals(means.windowMillis)
                    && Arrays.equals(values, means.values);
        }

        @Override
        public int hashCode() {
            return 31 * windowMillis.hashCode() + Arrays.hashCode(values);
        }

        @Override
        public String toString() {
            return "means over " + windowMillis + " ms: " + Arrays.toString(values);
        }
    }
}
