package io.berth.core.api.job;

import java.util.List;
import java.util.Optional;

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
}
