package io.berth.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A job at one moment.
 *
 * @param reason why it waits, restarts or failed; empty when there is no reason
 * @param started when it first ran
 * @param ended when it ended
 * @param restarts after failures
 * @param rescales restarts to change its parallelism
 * @param vertices in the order of the job
 * @param counters totals of the counters of its operators, by VERTEX.NAME
 */
public record JobInfo(
        String id,
        String name,
        JobStatus status,
        String reason,
        Instant submitted,
        Optional<Instant> started,
        Optional<Instant> ended,
        int restarts,
        int rescales,
        List<Vertex> vertices,
        SortedMap<String, Long> counters) {

    /**
     * One vertex.
     *
     * @param parallelism at which it runs; 0 when it does not run
     * @param recordsIn received in the current execution
     * @param recordsOut emitted in the current execution
     */
    public record Vertex(
            String name,
            String operator,
            int minimum,
            int desired,
            int maximum,
            int parallelism,
            long recordsIn,
            long recordsOut) {}

    public JobInfo {
        vertices = List.copyOf(vertices);
        counters = Collections.unmodifiableSortedMap(new TreeMap<>(counters));
    }

    /**
     * The vertex of this name.
     *
     * @throws IllegalArgumentException when the job has none
     */
    public Vertex vertex(String vertex) {
        return vertices.stream()
                .filter(candidate -> candidate.name().equals(vertex))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("job " + id + " has no vertex '" + vertex + "': it has "
                        + String.join(", ", vertices.stream().map(Vertex::name).toList())));
    }

    static JobInfo of(JsonNode job) {
        List<Vertex> vertices = new ArrayList<>();
        for (JsonNode vertex : job.path("vertices")) {
            vertices.add(new Vertex(
                    vertex.path("name").asText(),
                    vertex.path("operator").asText(),
                    vertex.path("minimum").asInt(),
                    vertex.path("desired").asInt(),
                    vertex.path("maximum").asInt(),
                    vertex.path("parallelism").asInt(),
                    vertex.path("recordsIn").asLong(),
                    vertex.path("recordsOut").asLong()));
        }
        SortedMap<String, Long> counters = new TreeMap<>();
        job.path("counters")
                .properties()
                .forEach(counter ->
                        counters.put(counter.getKey(), counter.getValue().asLong()));
        return new JobInfo(
                job.path("id").asText(),
                job.path("name").asText(),
                JobStatus.of(job.path("status").asText()),
                job.path("reason").asText(),
                Instant.ofEpochMilli(job.path("submittedMillis").asLong()),
                time(job.path("startedMillis")),
                time(job.path("endedMillis")),
                job.path("restarts").asInt(),
                job.path("rescales").asInt(),
                vertices,
                counters);
    }

    private static Optional<Instant> time(JsonNode millis) {
        return millis.asLong() == 0 ? Optional.empty() : Optional.of(Instant.ofEpochMilli(millis.asLong()));
    }
}
