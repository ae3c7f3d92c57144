package io.berth.core.scheduler.execution;

import io.berth.core.api.gateway.JobMasterGateway.WorkerAtJob;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.policy.ScalingAdvisor.Feasible;
import io.berth.core.api.policy.ScalingAdvisor.Limit;
import io.berth.core.api.task.RuntimeSettings;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.Requirements;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;

/**
 * Bounds the parallelism of a job by the network memory of the workers that have its slots, so that no task fails
 * because its channels find none left. A slot may use as much of it as it has of the worker's cpu and heap, on average.
 * So jobs that share a worker do not depend on each other. Pure.
 */
public final class NetworkMemory implements Limit {

    private final JobIdentity job;
    private final IntUnaryOperator producers;
    private final Function<List<Integer>, Optional<SortedMap<String, List<PoolSlot>>>> slots;
    private final Function<WorkerId, Optional<WorkerAtJob>> workers;

    private record Shortage(int parallelism, WorkerId worker, long needed, long available) {

        private String text() {
            return "the network memory of worker " + worker + ": at " + parallelism + " the job needs " + needed
                    + " ends of channels there, and its slots have " + available
                    + "; raise network.memory.bytes of the workers" + factor()
                    + ", or spread the slots over more workers";
        }

        /** How much more would be enough, rounded up. */
        private String factor() {
            return available == 0
                    ? ""
                    : " to " + BigDecimal.valueOf(needed).divide(BigDecimal.valueOf(available), 1, RoundingMode.CEILING)
                            + " times as much";
        }
    }

    /**
     * @param job whose bounds may change
     * @param producers how many partitions the result of a blocking edge has, by the number of the edge
     * @param slots chooses the slots of an execution of that parallelism, in the order of subtasks; empty when there
     *     are too few
     * @param workers finds registered workers
     */
    public NetworkMemory(
            JobIdentity job,
            IntUnaryOperator producers,
            Function<List<Integer>, Optional<SortedMap<String, List<PoolSlot>>>> slots,
            Function<WorkerId, Optional<WorkerAtJob>> workers) {
        this.job = job;
        this.producers = producers;
        this.slots = slots;
        this.workers = workers;
    }

    /** The planned parallelism, or the highest lower one that the network memory allows. */
    @Override
    public Feasible feasible(List<Integer> planned) {
        JobGraph graph = job.graph();
        List<Integer> aligned = Requirements.alignForward(graph, planned, Math::min);
        if (!Requirements.isWithinBounds(graph, aligned)) {
            return new Feasible(Optional.empty(), "");
        }
        Optional<Shortage> shortage = shortage(graph, aligned);
        if (shortage.isEmpty()) {
            return new Feasible(Optional.of(aligned), "");
        }
        List<Integer> lowest = Requirements.alignForward(graph, Requirements.minimum(graph), Math::max);
        Optional<List<Integer>> feasible = Optional.empty();
        Shortage last = shortage.get();
        int fits = 0;
        int tooHigh = Collections.max(aligned);
        while (tooHigh - fits > 1) {
            int middle = (fits + tooHigh) / 2;
            List<Integer> candidate = limit(aligned, lowest, middle);
            shortage = shortage(graph, candidate);
            if (shortage.isEmpty()) {
                feasible = Optional.of(candidate);
                fits = middle;
            } else {
                last = shortage.get();
                tooHigh = middle;
            }
        }
        return new Feasible(
                feasible,
                (feasible.isEmpty() ? "no parallelism is possible with " : "parallelism bounded to " + fits + " by ")
                        + last.text());
    }

    private static List<Integer> limit(List<Integer> parallelism, List<Integer> lowest, int limit) {
        List<Integer> limited = new ArrayList<>();
        for (int vertex = 0; vertex < parallelism.size(); vertex++) {
            limited.add(Math.max(lowest.get(vertex), Math.min(parallelism.get(vertex), limit)));
        }
        return List.copyOf(limited);
    }

    /** The first worker that has less than an execution of that parallelism needs. */
    private Optional<Shortage> shortage(JobGraph graph, List<Integer> parallelism) {
        return slots.apply(parallelism).flatMap(chosen -> {
            SortedMap<WorkerId, List<PoolSlot>> slotsOf = new TreeMap<>();
            chosen.values()
                    .forEach(group ->
                            group.forEach(slot -> slotsOf.computeIfAbsent(slot.worker(), worker -> new ArrayList<>())
                                    .add(slot)));
            SortedMap<WorkerId, Long> needed = new TreeMap<>();
            List<JobChain> chains = JobChain.of(job.unit(), parallelism);
            for (JobChain producer : chains) {
                for (int edge : producer.outputs()) {
                    String to = graph.edges().get(edge).to();
                    JobChain consumer = chains.stream()
                            .filter(chain -> chain.contains(to))
                            .findFirst()
                            .orElseThrow();
                    boolean forward = graph.edges().get(edge).partitioning() == Partitioning.FORWARD;
                    count(workers(producer, chosen), workers(consumer, chosen), forward, needed);
                }
                long stored = producer.reads().stream()
                        .mapToLong(edge -> producers.applyAsInt(edge.number()))
                        .sum();
                if (stored > 0) {
                    long ends = Math.min(stored, RuntimeSettings.MAX_STORED_CHANNELS);
                    workers(producer, chosen).forEach(worker -> needed.merge(worker, ends, Long::sum));
                }
            }
            return slotsOf.entrySet().stream()
                    .flatMap(entry -> workers
                            .apply(entry.getKey())
                            .filter(worker -> worker.maxChannelEnds() > 0)
                            .map(worker -> new Shortage(
                                    Collections.max(parallelism),
                                    worker.worker(),
                                    needed.getOrDefault(worker.worker(), 0L),
                                    available(worker, entry.getValue())))
                            .stream())
                    .filter(worker -> worker.needed() > worker.available())
                    .findFirst();
        });
    }

    private static List<WorkerId> workers(JobChain chain, SortedMap<String, List<PoolSlot>> slots) {
        return slots.getOrDefault(chain.group(), List.of()).stream()
                .limit(chain.parallelism())
                .map(PoolSlot::worker)
                .toList();
    }

    /** A producer has an end for each consumer, a consumer has one for each producer on another worker. */
    private static void count(
            List<WorkerId> producers, List<WorkerId> consumers, boolean forward, Map<WorkerId, Long> needed) {
        if (forward) {
            for (int subtask = 0; subtask < producers.size(); subtask++) {
                needed.merge(producers.get(subtask), 1L, Long::sum);
                if (!consumers.get(subtask).equals(producers.get(subtask))) {
                    needed.merge(consumers.get(subtask), 1L, Long::sum);
                }
            }
        } else {
            Map<WorkerId, Long> local = new TreeMap<>();
            producers.forEach(worker -> local.merge(worker, 1L, Long::sum));
            producers.forEach(worker -> needed.merge(worker, (long) consumers.size(), Long::sum));
            consumers.forEach(
                    worker -> needed.merge(worker, producers.size() - local.getOrDefault(worker, 0L), Long::sum));
        }
    }

    private static long available(WorkerAtJob worker, List<PoolSlot> slots) {
        ResourceProfile total = worker.total();
        double share = 0;
        for (PoolSlot slot : slots) {
            share += share(slot.profile().cpuMillis(), total.cpuMillis())
                    + share(slot.profile().heapBytes(), total.heapBytes());
        }
        // The tolerance is for rounding: the slots of a worker together have all of it.
        return (long) (worker.maxChannelEnds() * share / 2 + 1e-6);
    }

    private static double share(long part, long whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
