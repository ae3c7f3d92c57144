package io.berth.core.api.job;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The bounds of the parallelism of all vertices of a job, which may change while it runs (FLIP-291).
 *
 * @param revision 1 as submitted, and one more with each change
 * @param vertices in the order of the job graph
 */
public record ParallelismBounds(long revision, List<VertexBounds> vertices) {

    public ParallelismBounds {
        vertices = List.copyOf(vertices);
    }

    /**
     * The bounds of one vertex.
     *
     * @param vertex its name
     * @param minimum lowest parallelism, at least 1
     * @param desired preferred parallelism, at least the minimum
     * @param maximum highest parallelism for scaling, at least the desired one, and at most the number of key groups
     */
    public record VertexBounds(String vertex, int minimum, int desired, int maximum) {

        /** Without the name, as in {@code 1:2:4}. */
        public String text() {
            return minimum + ":" + desired + ":" + maximum;
        }
    }

    /** As in {@code source 1:2:4, sink 1:1:1}. */
    @Override
    public String toString() {
        return vertices.stream()
                .map(bounds -> bounds.vertex() + " " + bounds.text())
                .collect(Collectors.joining(", "));
    }
}
