package io.berth.core.scheduler;

import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * The stored results of blocking edges: which partitions there are, and on which workers. Confined to the main thread of
 * the job.
 */
final class Results {

    /** The result of one edge. */
    private static final class Result {

        /** In the order of subtasks; empty when it is not there. */
        private List<Producer> partitions = List.of();

        private List<WorkerId> workers = List.of();
        /** What was stored, also by earlier executions, until it is released. */
        private final SortedMap<WorkerId, List<PartitionId>> stored = new TreeMap<>();
    }

    /** A release may be under way when a worker reports. */
    private static final int MISSING_AFTER = 2;

    private final SortedMap<Integer, Result> results = new TreeMap<>();
    /** How many partitions of all results are on a worker: each heartbeat asks for it. */
    private final Map<WorkerId, Integer> counts = new HashMap<>();
    /** How often in a row a worker reported none of the results that it should have. */
    private final SortedMap<WorkerId, Integer> missing = new TreeMap<>();

    private final Function<WorkerId, String> dataAddress;

    /** @param dataAddress of a registered worker; empty for another one */
    Results(Function<WorkerId, String> dataAddress) {
        this.dataAddress = dataAddress;
    }

    /** A unit has finished. */
    void produced(ExecutionGraph execution) {
        execution.chains().forEach(chain -> chain.results().forEach(edge -> put(edge, execution.tasks(chain))));
    }

    private void put(BlockingEdge edge, List<ExecutionTask> tasks) {
        Result result = results.computeIfAbsent(edge.number(), first -> new Result());
        gone(result);
        List<Producer> partitions = new ArrayList<>();
        List<WorkerId> workers = new ArrayList<>();
        for (ExecutionTask task : tasks) {
            PartitionId partition = new PartitionId(task.attempt(), edge.number());
            partitions.add(new Producer(partition, dataAddress.apply(task.worker())));
            workers.add(task.worker());
            result.stored
                    .computeIfAbsent(task.worker(), worker -> new ArrayList<>())
                    .add(partition);
        }
        result.partitions = List.copyOf(partitions);
        result.workers = List.copyOf(workers);
        workers.forEach(worker -> counts.merge(worker, 1, Integer::sum));
    }

    /** Whether all partitions of the result of an edge are there. */
    boolean isThere(int edge) {
        return !find(edge).partitions.isEmpty();
    }

    /** The partitions of the result of an edge, in the order of subtasks. */
    List<Producer> partitions(int edge) {
        return find(edge).partitions;
    }

    private Result find(int edge) {
        return results.getOrDefault(edge, new Result());
    }

    /** How many partitions are on the worker. */
    int count(WorkerId worker) {
        return counts.getOrDefault(worker, 0);
    }

    /**
     * A worker reports how many results it keeps. It loses all of them or none.
     *
     * @param expected when it was asked
     * @return whether it has lost them, which is certain when it says so again
     */
    boolean areMissingForSure(WorkerId worker, int expected, int reported) {
        if (expected == 0 || reported > 0) {
            missing.remove(worker);
            return false;
        }
        if (missing.merge(worker, 1, Integer::sum) < MISSING_AFTER) {
            return false;
        }
        missing.remove(worker);
        return true;
    }

    /** All that a worker stored is lost. Returns the edges whose results are no longer there. */
    Set<Integer> workerLost(WorkerId worker) {
        missing.remove(worker);
        Set<Integer> lost = new TreeSet<>();
        results.forEach((edge, result) -> {
            if (result.workers.contains(worker)) {
                gone(result);
                lost.add(edge);
            }
        });
        return lost;
    }

    /**
     * A consumer could not read this partition.
     *
     * @return whether it belonged to a result that was there
     */
    boolean lost(PartitionId partition) {
        Result result = find(partition.edge());
        boolean known = result.partitions.stream()
                .anyMatch(present -> present.partition().equals(partition));
        if (known) {
            gone(result);
        }
        return known;
    }

    private void gone(Result result) {
        result.workers.forEach(
                worker -> counts.computeIfPresent(worker, (any, count) -> count == 1 ? null : count - 1));
        result.partitions = List.of();
        result.workers = List.of();
    }

    /** Forgets these results, which nobody reads any more. Returns what is stored of them. */
    SortedMap<WorkerId, List<PartitionId>> release(Collection<BlockingEdge> edges) {
        SortedMap<WorkerId, List<PartitionId>> all = new TreeMap<>();
        for (BlockingEdge edge : edges) {
            Result result = results.remove(edge.number());
            if (result != null) {
                gone(result);
                for (Map.Entry<WorkerId, List<PartitionId>> stored : result.stored.entrySet()) {
                    all.computeIfAbsent(stored.getKey(), worker -> new ArrayList<>())
                            .addAll(stored.getValue());
                }
            }
        }
        return all;
    }

    /** Whether the worker stores results that somebody may read. */
    boolean isStoredOn(WorkerId worker) {
        return results.values().stream().anyMatch(result -> result.stored.containsKey(worker));
    }
}
