package io.berth.simulator.deadlock;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.simulator.job.SimulatedTask;
import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/** Builds a job whose tasks take some random seconds. For one use. */
final class GraphBuilder {

    private static final int KEY_GROUPS = 8;
    private static final int MAX_SPLITS = 3;
    private static final int MAX_SPLIT_MILLIS = 5_000;
    /** A source with these does not end soon: each subtask has one. */
    private static final int LONG_SPLITS = 10;

    private static final int LONG_SPLIT_MILLIS = 1_000_000;

    private final long number;
    private final RandomGenerator random;
    private boolean endless;
    private final List<JobVertex> vertices = new ArrayList<>();
    private final List<JobEdge> edges = new ArrayList<>();
    private final List<SlotSharingGroup> groups = new ArrayList<>();

    /** @param number of the job, and its place in the order of submission */
    GraphBuilder(long number, RandomGenerator random) {
        this.number = number;
        this.random = random;
    }

    /** Its sources do not end soon. */
    void endless() {
        endless = true;
    }

    void group(String name, ResourceProfile profile) {
        groups.add(new SlotSharingGroup(name, profile));
    }

    void vertex(String name, String group, int minimum, int desired) {
        SortedMap<String, String> configuration = new TreeMap<>();
        configuration.put(
                SimulatedTask.SPLITS, Integer.toString(endless ? LONG_SPLITS : random.nextInt(1, MAX_SPLITS + 1)));
        configuration.put(
                SimulatedTask.SPLIT_MILLIS,
                Integer.toString(endless ? LONG_SPLIT_MILLIS : random.nextInt(1, MAX_SPLIT_MILLIS + 1)));
        configuration.put(SimulatedTask.WORK_MILLIS, Integer.toString(random.nextInt(1, MAX_SPLIT_MILLIS + 1)));
        vertices.add(new JobVertex(name, "simulated", minimum, desired, desired, KEY_GROUPS, group, configuration));
    }

    void edge(String from, String to, Exchange exchange) {
        edge(from, to, Partitioning.HASH, exchange);
    }

    void edge(String from, String to, Partitioning partitioning, Exchange exchange) {
        edges.add(new JobEdge(from, to, partitioning, exchange));
    }

    JobGraph build() {
        String name = "job-" + number;
        return new JobGraph(
                new JobId(name),
                name,
                number,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                vertices,
                edges,
                groups);
    }
}
