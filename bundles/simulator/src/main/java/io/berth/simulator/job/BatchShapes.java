package io.berth.simulator.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/** Jobs with blocking edges. They exist in one of 17 seeds, and are most of the jobs there. */
public final class BatchShapes {

    private static final int EACH = 17;
    /** No seed that is kept because of what it found has this rest. */
    private static final int REST = 9;

    private static final int STREAMING_EACH = 5;
    private static final int KEY_GROUPS = 16;
    private static final int MAX_SLOTS = 3;

    /** The edges of a job, in the order of their numbers: {@code >} is blocking, {@code -} is pipelined. */
    private enum Shape {
        PAIR("a>b"),
        CHAIN("a>b b>c"),
        FORK("a>b a>c"),
        JOIN("a>c b>c"),
        DIAMOND("a>b a>c b>d c>d"),
        /** The unit of the producer also has output that is committed. */
        PRODUCER_COMMITS("a-b a>c"),
        /** The unit of the consumer also has a source. */
        CONSUMER_HAS_SOURCE("a>c b-c");

        private final Edges edges;

        Shape(String text) {
            edges = Edges.of(text);
        }
    }

    /** @param vertices in topological order, which is that of their names */
    private record Edges(List<JobEdge> all, SortedSet<String> vertices) {

        static Edges of(String text) {
            List<JobEdge> read = new ArrayList<>();
            SortedSet<String> vertices = new TreeSet<>();
            for (String edge : text.split(" ")) {
                String from = edge.substring(0, 1);
                String to = edge.substring(2);
                vertices.add(from);
                vertices.add(to);
                Exchange exchange = edge.charAt(1) == '>' ? Exchange.BLOCKING : Exchange.PIPELINED;
                read.add(new JobEdge(from, to, Partitioning.HASH, exchange));
            }
            return new Edges(List.copyOf(read), vertices);
        }

        boolean isSource(String vertex) {
            return all.stream().noneMatch(edge -> edge.to().equals(vertex));
        }
    }

    private final boolean there;
    private final RandomGenerator random;

    private BatchShapes(boolean there, RandomGenerator random) {
        this.there = there;
        this.random = random;
    }

    /** Whether there are such jobs in the world of a seed. */
    public static boolean areIn(long seed) {
        return Math.floorMod(seed, EACH) == REST;
    }

    /** Whether the jobs of a seed restart a limited number of times. */
    public static boolean haveLimitedRestarts(long seed) {
        return areIn(seed) && Math.floorMod(seed / EACH, 2) == 1;
    }

    /** They draw from their own stream. */
    public static BatchShapes of(long seed) {
        return new BatchShapes(areIn(seed), new SplittableRandom(seed ^ 0xBA7C4L));
    }

    /** A job with blocking edges, or the given one. */
    JobGraph insteadOf(JobGraph streaming) {
        return there && random.nextInt(STREAMING_EACH) > 0 ? drawn(streaming) : streaming;
    }

    /**
     * A job with vertices of the same bounds that do not fail.
     *
     * @param edges such as {@code a>b a-c}: blocking from a to b, and pipelined from a to c
     * @param millis that a split, and a partition, takes
     */
    public static JobGraph job(JobId id, long index, String edges, int minimum, int desired, int splits, long millis) {
        Edges read = Edges.of(edges);
        List<JobVertex> vertices = new ArrayList<>();
        for (String name : read.vertices) {
            SortedMap<String, String> configuration = new TreeMap<>();
            configuration.put(Records.FIRST, Integer.toString(vertices.size() * Records.EACH_SOURCE));
            configuration.put(SimulatedTask.SPLIT_MILLIS, Long.toString(millis));
            configuration.put(StoredInputs.PARTITION_MILLIS, Long.toString(millis));
            if (read.isSource(name)) {
                configuration.put(SimulatedTask.SPLITS, Integer.toString(splits));
            }
            vertices.add(
                    new JobVertex(name, "simulated", minimum, desired, desired, KEY_GROUPS, "default", configuration));
        }
        return new JobGraph(
                id,
                id.value(),
                index,
                SchedulingAttributes.DEFAULT,
                new TreeMap<>(),
                List.of(),
                vertices,
                read.all,
                List.of(new SlotSharingGroup("default", JobShapes.SLOT)));
    }

    private JobGraph drawn(JobGraph streaming) {
        Shape shape = Shape.values()[random.nextInt(Shape.values().length)];
        String last = shape.edges.vertices.last();
        // Units that run side by side have small slots, or the world would be too small for its jobs.
        boolean large = shape == Shape.CHAIN || shape == Shape.PAIR && random.nextBoolean();
        int desired = 1 + random.nextInt(MAX_SLOTS);
        int minimum = 1 + random.nextInt(desired);
        List<JobVertex> vertices = new ArrayList<>();
        int records = 0;
        for (String name : shape.edges.vertices) {
            boolean isLarge = large && name.equals(last);
            int its = isLarge ? 1 + random.nextInt(2) : desired;
            vertices.add(new JobVertex(
                    name,
                    "simulated",
                    isLarge ? 1 : minimum,
                    its,
                    its,
                    KEY_GROUPS,
                    isLarge ? "large" : "default",
                    configuration(shape.edges.isSource(name), records)));
            records += Records.EACH_SOURCE;
        }
        return new JobGraph(
                streaming.id(),
                streaming.name(),
                streaming.submissionIndex(),
                streaming.attributes(),
                streaming.policies(),
                streaming.bundles(),
                vertices,
                shape.edges.all,
                large
                        ? List.of(
                                new SlotSharingGroup("default", JobShapes.SLOT),
                                new SlotSharingGroup("large", JobShapes.LARGE))
                        : List.of(new SlotSharingGroup("default", JobShapes.SLOT)));
    }

    private SortedMap<String, String> configuration(boolean isSource, int firstRecord) {
        SortedMap<String, String> configuration = new TreeMap<>();
        configuration.put(Records.FIRST, Integer.toString(firstRecord));
        if (isSource) {
            configuration.put(SimulatedTask.SPLITS, Integer.toString(4 + random.nextInt(10)));
            configuration.put(SimulatedTask.SPLIT_MILLIS, Integer.toString(500 + random.nextInt(4_000)));
        } else {
            configuration.put(StoredInputs.PARTITION_MILLIS, Integer.toString(300 + random.nextInt(3_000)));
        }
        configuration.put(SimulatedTask.FAIL_PERCENT, random.nextInt(5) == 0 ? "10" : "0");
        return Collections.unmodifiableSortedMap(configuration);
    }
}
