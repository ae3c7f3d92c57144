package io.berth.core.scheduler;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** Jobs for tests. */
public final class Jobs {

    public static final ResourceProfile SLOT = ResourceProfile.of(1_000, 512L << 20);

    private Jobs() {}

    public static JobVertex vertex(String name, int minimum, int desired, String group) {
        return new JobVertex(name, name + "-operator", minimum, desired, desired, 128, group, new TreeMap<>());
    }

    public static JobEdge edge(String from, String to, Partitioning partitioning) {
        return new JobEdge(from, to, partitioning);
    }

    public static JobGraph graph(List<JobVertex> vertices, List<JobEdge> edges) {
        return graph("job-1", vertices, edges);
    }

    static JobGraph graph(String id, List<JobVertex> vertices, List<JobEdge> edges) {
        List<SlotSharingGroup> groups = new ArrayList<>();
        vertices.stream()
                .map(JobVertex::group)
                .distinct()
                .forEach(group -> groups.add(new SlotSharingGroup(
                        group, group.equals("large") ? ResourceProfile.of(2_000, 1L << 30) : SLOT)));
        return new JobGraph(
                new JobId(id),
                "word-count",
                3,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                vertices,
                edges,
                groups);
    }

    /** source -> split (chained), by key to count -> sink (chained). */
    public static JobGraph wordCount(int minimum, int desired) {
        return wordCount("job-1", minimum, desired);
    }

    static JobGraph wordCount(String id, int minimum, int desired) {
        return graph(
                id,
                List.of(
                        vertex("source", minimum, desired, "default"),
                        vertex("split", minimum, desired, "default"),
                        vertex("count", minimum, desired, "default"),
                        vertex("sink", minimum, desired, "default")),
                List.of(
                        edge("source", "split", Partitioning.FORWARD),
                        edge("split", "count", Partitioning.HASH),
                        edge("count", "sink", Partitioning.FORWARD)));
    }
}
