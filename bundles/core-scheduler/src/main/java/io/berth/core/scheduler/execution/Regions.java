package io.berth.core.scheduler.execution;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The pipelined regions of an execution (FLIP-119): tasks that exchange records, directly or over others, and so can only be
 * restarted together. Tasks of a vertex with a rendezvous know each other, and are one region for the same reason. A task is identified by its chain and subtask. Confined to the main thread of the job.
 */
final class Regions {

    /** A task of the execution. */
    record Place(JobChain chain, int subtask) {}

    /** For each task, one of its region; the one of the region itself points to itself. */
    private final int[] parents;

    private final Map<String, Integer> firstOfChain = new HashMap<>();
    private final List<JobChain> chains;
    private final int count;
    /** Those that were asked for. */
    private final Map<Integer, List<Place>> tasks = new HashMap<>();

    Regions(JobGraph graph, List<JobChain> chains) {
        this.chains = chains;
        Map<String, JobChain> chainOfVertex = new HashMap<>();
        int all = 0;
        for (JobChain chain : chains) {
            firstOfChain.put(chain.name(), all);
            chain.vertices().forEach(vertex -> chainOfVertex.put(vertex.name(), chain));
            all += chain.parallelism();
        }
        parents = new int[all];
        for (int task = 0; task < all; task++) {
            parents[task] = task;
        }
        int left = all;
        for (JobChain producer : chains) {
            if (producer.head().hasRendezvous()) {
                left -= connectAll(producer, producer);
            }
            for (int edge : producer.outputs()) {
                JobChain consumer = Objects.requireNonNull(
                        chainOfVertex.get(graph.edges().get(edge).to()));
                boolean forward = graph.edges().get(edge).partitioning() == Partitioning.FORWARD;
                left -= forward ? connectPairs(producer, consumer) : connectAll(producer, consumer);
            }
        }
        count = left;
    }

    private int index(JobChain chain, int subtask) {
        return Objects.requireNonNull(firstOfChain.get(chain.name())) + subtask;
    }

    private int connectPairs(JobChain producer, JobChain consumer) {
        int joined = 0;
        for (int subtask = 0; subtask < producer.parallelism(); subtask++) {
            joined += join(index(producer, subtask), index(consumer, subtask));
        }
        return joined;
    }

    private int connectAll(JobChain producer, JobChain consumer) {
        int joined = 0;
        int first = index(producer, 0);
        for (int subtask = 0; subtask < producer.parallelism(); subtask++) {
            joined += join(first, index(producer, subtask));
        }
        for (int subtask = 0; subtask < consumer.parallelism(); subtask++) {
            joined += join(first, index(consumer, subtask));
        }
        return joined;
    }

    /** Returns how many regions it makes fewer: 0 or 1. */
    private int join(int one, int other) {
        int root = root(one);
        int otherRoot = root(other);
        if (root == otherRoot) {
            return 0;
        }
        parents[Math.max(root, otherRoot)] = Math.min(root, otherRoot);
        return 1;
    }

    private int root(int task) {
        int at = task;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    int count() {
        return count;
    }

    /** Number of the region of a task; the same for all of its tasks. */
    int of(JobChain chain, int subtask) {
        return root(index(chain, subtask));
    }

    /** The tasks of a region, chain by chain, producers first. */
    List<Place> tasks(int region) {
        return tasks.computeIfAbsent(region, this::find);
    }

    private List<Place> find(int region) {
        List<Place> found = new ArrayList<>();
        for (JobChain chain : chains) {
            for (int subtask = 0; subtask < chain.parallelism(); subtask++) {
                if (of(chain, subtask) == region) {
                    found.add(new Place(chain, subtask));
                }
            }
        }
        return found;
    }
}
