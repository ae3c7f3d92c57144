package io.berth.core.policies.scaling;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.policy.rules.scaling.SlotAllocator;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;

/** A job for tests of the SlotAllocator: groups g0, g1 and so on, vertices v0, v1 and so on. */
final class AllocatedJob {

    static final ResourceProfile SMALL = ResourceProfile.of(500, 1 << 20);
    static final ResourceProfile LARGE = ResourceProfile.of(2_000, 1 << 30);
    static final List<ResourceProfile> PROFILES =
            List.of(SMALL, LARGE, ResourceProfile.of(500, 1 << 30), ResourceProfile.of(2_000, 1 << 20));

    final List<JobVertex> vertices = new ArrayList<>();
    final List<JobEdge> edges = new ArrayList<>();
    final List<SlotSharingGroup> groups = new ArrayList<>();

    AllocatedJob group(ResourceProfile profile) {
        groups.add(new SlotSharingGroup("g" + groups.size(), profile));
        return this;
    }

    AllocatedJob vertex(int group, int minimum, int maximum) {
        vertices.add(new JobVertex(
                "v" + vertices.size(), "any", minimum, minimum, maximum, 128, "g" + group, new TreeMap<>()));
        return this;
    }

    AllocatedJob edge(int from, int to, Partitioning kind) {
        edges.add(new JobEdge("v" + from, "v" + to, kind));
        return this;
    }

    private JobGraph graph() {
        return new JobGraph(
                new JobId("j"),
                "j",
                1,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                vertices,
                edges,
                groups);
    }

    SlotAllocator allocator() {
        return new GraphView(graph()).allocator();
    }

    /** Adds random groups, vertices and edges; the bounds are consistent along forward edges. */
    void random(Random random, int mostVertices) {
        int kinds = 1 + random.nextInt(PROFILES.size());
        for (int group = 1 + random.nextInt(4); group > 0; group--) {
            group(PROFILES.get(random.nextInt(kinds)));
        }
        for (int vertex = 1 + random.nextInt(mostVertices); vertex > 0; vertex--) {
            int minimum = 1 + random.nextInt(3);
            vertex(random.nextInt(groups.size()), minimum, 3 + random.nextInt(6));
        }
        for (int to = 1; to < vertices.size(); to++) {
            Partitioning[] all = Partitioning.values();
            edge(random.nextInt(to), to, all[random.nextInt(all.length)]);
        }
    }

    List<Integer> desired(Random random) {
        return vertices.stream()
                .map(vertex -> vertex.minimum() + random.nextInt(vertex.maximum() - vertex.minimum() + 1))
                .toList();
    }

    static int index(String vertex) {
        return Integer.parseInt(vertex.substring(1));
    }

    String group(String vertex) {
        return vertices.get(index(vertex)).group();
    }

    boolean isForward(JobEdge edge) {
        return edge.partitioning() == Partitioning.FORWARD;
    }

    int width(List<Integer> parallelism, int group) {
        int width = 0;
        for (int vertex = 0; vertex < parallelism.size(); vertex++) {
            width = vertices.get(vertex).group().equals("g" + group) ? Math.max(width, parallelism.get(vertex)) : width;
        }
        return width;
    }

    int sum(ResourceProfile profile, List<Integer> ofGroups) {
        int sum = 0;
        for (int group = 0; group < groups.size(); group++) {
            sum += groups.get(group).profile().equals(profile) ? ofGroups.get(group) : 0;
        }
        return sum;
    }
}
