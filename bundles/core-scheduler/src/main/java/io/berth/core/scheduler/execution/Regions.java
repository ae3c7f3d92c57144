package io.berth.core.scheduler.execution;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The pipelined regions of an execution (FLIP-119): tasks that exchange records, directly or over others, and so can only be
 * restarted together. Tasks of a vertex with a rendezvous know each other, and are one region for the same reason. A task is
 * identified by its chain and subtask. To build it is linear in the tasks; to list a region, in the tasks of that region.
 * Immutable.
 */
final class Regions {

    private static final int NONE = -1;

    /** A task of the execution. */
    record Place(JobChain chain, int subtask) {}

    /** For each task the first task of its region, which is the number of the region. Tasks are numbered chain by chain. */
    private final int[] regionOf;
    /** For each task the next one of its region; {@link #NONE} after the last one. */
    private final int[] next;
    /** For each chain its first task, and behind them the number of all tasks. */
    private final int[] first;

    private final Map<String, Integer> firstOfChain = new HashMap<>();
    private final List<JobChain> chains;
    private final int count;

    Regions(JobGraph graph, List<JobChain> chains) {
        this.chains = chains;
        Map<String, JobChain> chainOfVertex = new HashMap<>();
        first = new int[chains.size() + 1];
        for (int index = 0; index < chains.size(); index++) {
            JobChain chain = chains.get(index);
            firstOfChain.put(chain.name(), first[index]);
            chain.vertices().forEach(vertex -> chainOfVertex.put(vertex.name(), chain));
            first[index + 1] = first[index] + chain.parallelism();
        }
        regionOf = new int[first[chains.size()]];
        Arrays.setAll(regionOf, task -> task);
        for (JobChain producer : chains) {
            if (producer.head().hasRendezvous()) {
                connectAll(producer, producer);
            }
            for (int edge : producer.outputs()) {
                JobChain consumer = Objects.requireNonNull(
                        chainOfVertex.get(graph.edges().get(edge).to()));
                if (graph.edges().get(edge).partitioning() == Partitioning.FORWARD) {
                    connectPairs(producer, consumer);
                } else {
                    connectAll(producer, consumer);
                }
            }
        }
        next = new int[regionOf.length];
        count = link();
    }

    /** Links the tasks of each region in ascending order. @return the number of regions */
    private int link() {
        int[] last = new int[regionOf.length];
        int regions = 0;
        for (int task = 0; task < regionOf.length; task++) {
            // A task points to an earlier one, whose region is known.
            int region = regionOf[regionOf[task]];
            regionOf[task] = region;
            next[task] = NONE;
            if (region == task) {
                regions++;
            } else {
                next[last[region]] = task;
            }
            last[region] = task;
        }
        return regions;
    }

    private int first(JobChain chain) {
        return Objects.requireNonNull(firstOfChain.get(chain.name()));
    }

    private void connectPairs(JobChain producer, JobChain consumer) {
        int from = first(producer);
        int to = first(consumer);
        for (int subtask = 0; subtask < producer.parallelism(); subtask++) {
            join(from + subtask, to + subtask);
        }
    }

    private void connectAll(JobChain producer, JobChain consumer) {
        int from = first(producer);
        for (int subtask = 0; subtask < producer.parallelism(); subtask++) {
            join(from, from + subtask);
        }
        int to = first(consumer);
        for (int subtask = 0; subtask < consumer.parallelism(); subtask++) {
            join(from, to + subtask);
        }
    }

    private void join(int one, int other) {
        int root = root(one);
        int otherRoot = root(other);
        regionOf[Math.max(root, otherRoot)] = Math.min(root, otherRoot);
    }

    private int root(int task) {
        int at = task;
        while (regionOf[at] != at) {
            regionOf[at] = regionOf[regionOf[at]];
            at = regionOf[at];
        }
        return at;
    }

    int count() {
        return count;
    }

    /** Number of the region of a task; the same for all of its tasks. */
    int of(JobChain chain, int subtask) {
        return regionOf[first(chain) + subtask];
    }

    /** The tasks of a region, chain by chain, producers first. */
    List<Place> tasks(int region) {
        List<Place> found = new ArrayList<>();
        int chain = 0;
        for (int task = region; task != NONE; task = next[task]) {
            while (task >= first[chain + 1]) {
                chain++;
            }
            found.add(new Place(chains.get(chain), task - first[chain]));
        }
        return found;
    }
}
