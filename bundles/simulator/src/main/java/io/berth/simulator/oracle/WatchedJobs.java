package io.berth.simulator.oracle;

import io.berth.core.api.JobMasterId;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskContext.Committable;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.simulator.job.Exchange;
import io.berth.simulator.job.JobStore;
import io.berth.simulator.job.Records;
import io.berth.simulator.job.SimulatedTask;
import io.berth.simulator.job.StoredResults;
import io.berth.spi.JobId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Watches whole jobs (oracle J), by what their tasks do: what is committed has each record once, nothing is committed
 * by a task that was canceled or replaced long ago, a task with stored inputs starts when they are complete, and no job
 * fails while it may restart. Passes each event on to another listener.
 */
public final class WatchedJobs implements Exchange.Listener, JobStore.Listener {

    /** One execution of a chain. */
    private record Execution(long epoch, String chain, long number) implements Comparable<Execution> {

        static Execution of(AttemptId attempt) {
            return new Execution(attempt.epoch(), attempt.chain(), attempt.execution());
        }

        @Override
        public int compareTo(Execution other) {
            int result = Long.compare(epoch, other.epoch);
            if (result == 0) {
                result = chain.compareTo(other.chain);
            }
            return result == 0 ? Long.compare(number, other.number) : result;
        }
    }

    /** What is known of an execution. */
    private static final class Progress {

        private final int parallelism;
        private final long startedNanos;
        /** The last attempt of each subtask whose output is complete. */
        private final SortedMap<Integer, AttemptId> complete = new TreeMap<>();
        /** How often a part of it restarted. */
        private int restarts;

        Progress(int parallelism, long startedNanos) {
            this.parallelism = parallelism;
            this.startedNanos = startedNanos;
        }
    }

    /** What is known of a job. */
    private static final class Watched {

        private final SortedMap<Execution, Progress> executions = new TreeMap<>();
        /** When the first task of each JobMaster started. */
        private final SortedMap<Long, Long> epochs = new TreeMap<>();
        /** The vertices whose output a JobMaster has committed. */
        private final SortedMap<Long, SortedSet<String>> committed = new TreeMap<>();
    }

    /** What a task that was replaced may still do, as it is not known to its worker: in nanoseconds. */
    public record Grace(long replacedNanos, long formerNanos) {}

    private final Exchange.Listener next;
    private final LongSupplier now;
    private final Grace grace;
    private final int maxRestarts;
    private final BooleanSupplier rolesThrow;
    private final Supplier<StoredResults> results;
    private final Function<JobId, Optional<JobStore.Stored>> jobs;
    private final Ledger ledger;
    private final SortedMap<JobId, Watched> watched = new TreeMap<>();

    /**
     * @param grace after it was replaced, a task commits nothing
     * @param maxRestarts of a job; -1: without limit
     * @param rolesThrow whether main threads throw: a job whose JobMasters fail one after the other fails
     */
    public WatchedJobs(
            Exchange.Listener next,
            LongSupplier now,
            Grace grace,
            int maxRestarts,
            BooleanSupplier rolesThrow,
            Supplier<StoredResults> results,
            Function<JobId, Optional<JobStore.Stored>> jobs,
            Ledger ledger) {
        this.next = next;
        this.now = now;
        this.grace = grace;
        this.maxRestarts = maxRestarts;
        this.rolesThrow = rolesThrow;
        this.results = results;
        this.jobs = jobs;
        this.ledger = ledger;
    }

    private Watched of(JobId job) {
        return watched.computeIfAbsent(job, first -> new Watched());
    }

    private Optional<JobGraph> graph(JobId job) {
        return jobs.apply(job).map(JobStore.Stored::graph);
    }

    @Override
    public void started(SimulatedTask task) {
        AttemptId attempt = task.deployment().attempt();
        Watched job = of(attempt.job());
        job.epochs.putIfAbsent(attempt.epoch(), now.getAsLong());
        Progress its = job.executions.computeIfAbsent(
                Execution.of(attempt), first -> new Progress(task.deployment().parallelism(), now.getAsLong()));
        its.restarts = Math.max(its.restarts, attempt.restart());
        for (Input input : task.deployment().inputs()) {
            if (input.exchange() == JobGraph.Exchange.BLOCKING) {
                incomplete(job, attempt, input)
                        .ifPresent(
                                why -> ledger.broken("J: task " + task + " starts with input " + input.edge() + " of "
                                        + input.producers().stream()
                                                .map(Producer::partition)
                                                .toList()
                                        + ": " + why));
            }
        }
        next.started(task);
    }

    /** What is wrong with the stored input of a task; empty when it is complete. */
    private static Optional<String> incomplete(Watched job, AttemptId reader, Input input) {
        SortedSet<Execution> from = new TreeSet<>();
        SortedSet<Integer> subtasks = new TreeSet<>();
        for (Producer producer : input.producers()) {
            AttemptId attempt = producer.partition().producer();
            Progress its = job.executions.get(Execution.of(attempt));
            if (attempt.epoch() != reader.epoch()) {
                return Optional.of(attempt + " is of another JobMaster");
            }
            if (its == null || !attempt.equals(its.complete.get(attempt.subtask()))) {
                return Optional.of(attempt + " has not finished");
            }
            from.add(Execution.of(attempt));
            subtasks.add(attempt.subtask());
        }
        if (from.size() != 1) {
            return Optional.of("it is not of one execution");
        }
        Progress its = job.executions.get(from.first());
        return its != null && subtasks.size() == its.parallelism
                ? Optional.empty()
                : Optional.of("some partitions are not named");
    }

    @Override
    public void stored(SimulatedTask task) {
        AttemptId attempt = task.deployment().attempt();
        Progress its = of(attempt.job()).executions.get(Execution.of(attempt));
        if (its != null) {
            its.complete.put(attempt.subtask(), attempt);
        }
        next.stored(task);
    }

    /**
     * Whether the newest result of an edge is complete and stored, by what tasks of this JobMaster did.
     *
     * @param epoch of the JobMaster
     * @param edge number of the edge in the job
     */
    public boolean isStored(JobGraph graph, long epoch, int edge) {
        JobEdge of = graph.edges().get(edge);
        Optional<Progress> newest = newest(of(graph.id()), epoch, of.from());
        return newest.filter(progress -> progress.complete.size() == progress.parallelism
                        && progress.complete.values().stream()
                                .allMatch(attempt -> results.get().isThere(new PartitionId(attempt, edge))))
                .isPresent();
    }

    private static Optional<Progress> newest(Watched job, long epoch, String chain) {
        SortedMap<Execution, Progress> all =
                job.executions.subMap(new Execution(epoch, chain, 0), new Execution(epoch, chain, Long.MAX_VALUE));
        return all.isEmpty() ? Optional.empty() : Optional.ofNullable(all.get(all.lastKey()));
    }

    @Override
    public void ended(SimulatedTask task) {
        next.ended(task);
    }

    @Override
    public void committedLate(SimulatedTask task) {
        ledger.broken("J: task " + task + " is asked to commit after it was canceled");
        next.committedLate(task);
    }

    @Override
    public void committed(SimulatedTask task, List<Committable> committables) {
        AttemptId attempt = task.deployment().attempt();
        if (!committables.isEmpty()) {
            replaced(task)
                    .ifPresent(why ->
                            ledger.broken("J: task " + task + " commits " + committables.size() + " outputs: " + why));
            graph(attempt.job()).filter(Records::areKept).ifPresent(graph -> {
                written(task, graph, committables);
                of(attempt.job())
                        .committed
                        .computeIfAbsent(attempt.epoch(), first -> new TreeSet<>())
                        .add(attempt.chain());
            });
        }
        next.committed(task, committables);
    }

    private void written(SimulatedTask task, JobGraph graph, List<Committable> committables) {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (Committable committable : committables) {
            Records.of(committable).forEach(record -> counts.merge(record, 1, Integer::sum));
        }
        SortedMap<Integer, Integer> expected =
                Records.expected(graph, task.deployment().attempt().chain());
        if (!counts.equals(expected)) {
            ledger.broken("J: task " + task + " commits each record as often as " + counts + ", right is " + expected);
        }
    }

    /** Why a task must not have an effect any longer; empty when it may. */
    private Optional<String> replaced(SimulatedTask task) {
        AttemptId attempt = task.deployment().attempt();
        Watched job = of(attempt.job());
        SortedMap<Long, Long> later = job.epochs.tailMap(attempt.epoch() + 1);
        if (!later.isEmpty() && now.getAsLong() - earliest(later) > grace.formerNanos) {
            return Optional.of("tasks of another JobMaster, of epoch " + later.firstKey() + ", run since "
                    + (now.getAsLong() - earliest(later)) / 1_000_000 + " ms");
        }
        return newest(job, attempt.epoch(), attempt.chain())
                .filter(newest -> newest != job.executions.get(Execution.of(attempt)))
                .filter(newest -> now.getAsLong() - newest.startedNanos > grace.replacedNanos)
                .map(newest ->
                        "another execution runs since " + (now.getAsLong() - newest.startedNanos) / 1_000_000 + " ms");
    }

    private static long earliest(SortedMap<Long, Long> epochs) {
        return epochs.values().stream().min(Long::compare).orElseThrow();
    }

    /** The maximum of how often a chain has run for a JobMaster, also as a part of an execution. */
    private static long runs(Watched job, long epoch) {
        SortedMap<String, Long> executions = new TreeMap<>();
        SortedMap<String, Long> restarts = new TreeMap<>();
        job.executions.forEach((execution, progress) -> {
            if (execution.epoch() == epoch) {
                executions.merge(execution.chain(), execution.number(), Math::max);
                restarts.merge(execution.chain(), (long) progress.restarts, Long::sum);
            }
        });
        return executions.entrySet().stream()
                .mapToLong(chain -> chain.getValue() + restarts.getOrDefault(chain.getKey(), 0L))
                .max()
                .orElse(0);
    }

    @Override
    public void ended(JobStore.Stored job, JobMasterId jobMaster, JobDetails details) {
        JobId id = job.graph().id();
        long epoch = jobMaster.token().epoch();
        if (details.status() == JobStatus.FAILED && !rolesThrow.getAsBoolean()) {
            long runs = runs(of(id), epoch);
            if (maxRestarts < 0 || runs <= maxRestarts) {
                ledger.broken("J: job " + id + " fails after " + runs + " runs of a part of it, "
                        + (maxRestarts < 0 ? "although it may always restart" : maxRestarts + " restarts are allowed")
                        + ": " + details.reason());
            }
        } else if (details.status() == JobStatus.CANCELED && !job.isCancelRequested()) {
            ledger.broken("J: job " + id + " is canceled, and nobody asked for it: " + details.reason());
        } else if (details.status() == JobStatus.FINISHED && Records.areKept(job.graph())) {
            SortedSet<String> committed = of(id).committed.getOrDefault(epoch, new TreeSet<>());
            for (JobVertex vertex : job.graph().vertices()) {
                boolean commits = job.graph().edges().stream()
                        .noneMatch(edge -> edge.from().equals(vertex.name()));
                if (commits && !committed.contains(vertex.name())) {
                    ledger.broken("J: job " + id + " has finished, and its JobMaster " + jobMaster
                            + " has not committed " + vertex.name());
                }
            }
        }
    }
}
