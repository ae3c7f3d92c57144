package io.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/**
 * What a job requires. Immutable.
 *
 * @param revision number of the change that they come from
 * @param vertices bounds of all vertices, in the order of the job
 */
public record Requirements(long revision, List<Bounds> vertices) {

    /** Bounds of the parallelism of a vertex: 1 &lt;= minimum &lt;= desired &lt;= maximum. */
    public record Bounds(String vertex, int minimum, int desired, int maximum) {}

    public Requirements {
        vertices = List.copyOf(vertices);
    }

    /**
     * The same with other bounds of a vertex, whose maximum is desired.
     *
     * @throws IllegalArgumentException when the job has no such vertex
     */
    public Requirements with(String vertex, int minimum, int maximum) {
        List<Bounds> changed = new ArrayList<>(vertices);
        for (int index = 0; index < changed.size(); index++) {
            if (changed.get(index).vertex().equals(vertex)) {
                changed.set(index, new Bounds(vertex, minimum, maximum, maximum));
                return new Requirements(revision, changed);
            }
        }
        throw new IllegalArgumentException("vertex is '" + vertex + "': allowed are "
                + String.join(", ", vertices.stream().map(Bounds::vertex).toList()));
    }

    static Requirements of(JsonNode requirements) {
        List<Bounds> vertices = new ArrayList<>();
        for (JsonNode vertex : requirements.path("vertices")) {
            vertices.add(new Bounds(
                    vertex.path("vertex").asText(),
                    vertex.path("minimum").asInt(),
                    vertex.path("desired").asInt(),
                    vertex.path("maximum").asInt()));
        }
        return new Requirements(requirements.path("revision").asLong(), vertices);
    }
}
