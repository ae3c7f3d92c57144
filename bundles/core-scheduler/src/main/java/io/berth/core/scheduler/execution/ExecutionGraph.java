package io.berth.core.scheduler.execution;

import io.berth.core.api.task.AttemptId;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One execution of a job: its chains at their parallelism, a task for each subtask, each in its slot. Subtask i of
 * each chain of a group runs in slot i of the group. Confined to the main thread of the job.
 */
public final class ExecutionGraph {

    private final long number;
    private final List<Integer> parallelism;
    private final List<JobChain> chains;
    /** By name of the chain, each in the order of subtasks: in the order of attempts. */
    private final SortedMap<String, List<ExecutionTask>> tasksOfChain = new TreeMap<>();

    private final SlotsOfExecution slots;
    private final Regions regions;
    private final TaskCounts counts = new TaskCounts();
    private final SortedMap<String, List<AllocationId>> allocations = new TreeMap<>();
    private final SplitAssigner splits = new SplitAssigner();
    private final long startedMillis;
    private final long windowMillis;
    private long endedMillis = -1;

    /**
     * @param number counted by the JobMaster from 1
     * @param parallelism of each vertex in the order of the job graph
     * @param slots of each group in the order of subtasks
     * @param nowMillis monotonic
     * @param windowMillis over which the rates of its tasks are computed
     */
    public ExecutionGraph(
            JobIdentity job,
            long number,
            List<Integer> parallelism,
            SortedMap<String, List<PoolSlot>> slots,
            long nowMillis,
            long windowMillis) {
        this.number = number;
        long epoch = job.jobMaster().token().epoch();
        this.parallelism = List.copyOf(parallelism);
        this.chains = JobChain.of(job.unit(), parallelism);
        this.regions = new Regions(job.graph(), chains);
        this.startedMillis = nowMillis;
        this.windowMillis = windowMillis;
        slots.forEach((group, used) ->
                allocations.put(group, used.stream().map(PoolSlot::allocation).toList()));
        for (JobChain chain : chains) {
            List<ExecutionTask> subtasks = new ArrayList<>(chain.parallelism());
            List<PoolSlot> ofGroup = Objects.requireNonNull(slots.get(chain.group()));
            for (int subtask = 0; subtask < chain.parallelism(); subtask++) {
                AttemptId attempt = new AttemptId(job.id(), chain.name(), subtask, epoch, number);
                subtasks.add(new ExecutionTask(
                        attempt, chain, ofGroup.get(subtask), counts, new MetricsWindow(windowMillis), nowMillis));
            }
            tasksOfChain.put(chain.name(), subtasks);
        }
        this.slots = new SlotsOfExecution(slots);
    }

    /** How many slots of each group an execution needs. */
    public static SortedMap<String, Integer> slotsNeeded(JobIdentity job, List<Integer> parallelism) {
        SortedMap<String, Integer> needed = new TreeMap<>();
        for (int vertex = 0; vertex < parallelism.size(); vertex++) {
            needed.merge(job.graph().vertices().get(vertex).group(), parallelism.get(vertex), Math::max);
        }
        return needed;
    }

    /** The slots of each group in the order of subtasks. */
    public SortedMap<String, List<AllocationId>> allocations() {
        return Collections.unmodifiableSortedMap(allocations);
    }

    public long number() {
        return number;
    }

    public List<Integer> parallelism() {
        return parallelism;
    }

    public List<JobChain> chains() {
        return chains;
    }

    public SplitAssigner splits() {
        return splits;
    }

    /** A copy, in the order of attempts. */
    public List<ExecutionTask> tasks() {
        List<ExecutionTask> all = new ArrayList<>();
        tasksOfChain.values().forEach(all::addAll);
        return all;
    }

    /** Tasks chain by chain, producers first. */
    public List<ExecutionTask> tasksInOrder() {
        List<ExecutionTask> ordered = new ArrayList<>();
        chains.forEach(chain -> ordered.addAll(tasks(chain)));
        return ordered;
    }

    /** Tasks of a chain in the order of subtasks. */
    public List<ExecutionTask> tasks(JobChain chain) {
        return Collections.unmodifiableList(Objects.requireNonNull(tasksOfChain.get(chain.name())));
    }

    /** How many parts of the execution can be restarted alone. */
    public int regions() {
        return regions.count();
    }

    /** Number of the region of a task: all tasks with this number are restarted together. */
    public int regionOf(ExecutionTask task) {
        return regions.of(task.chain(), task.attempt().subtask());
    }

    /** The present tasks of a region, chain by chain, producers first. */
    public List<ExecutionTask> region(int region) {
        return regions.tasks(region).stream()
                .map(place -> tasks(place.chain()).get(place.subtask()))
                .toList();
    }

    /**
     * Replaces tasks that have ended by their next attempts, in the same slots. What their sources have read is read again.
     *
     * @return the new tasks
     */
    public List<ExecutionTask> restart(List<ExecutionTask> ended, long nowMillis) {
        List<ExecutionTask> next = new ArrayList<>();
        for (ExecutionTask task : ended) {
            if (!task.isTerminal()) {
                throw new IllegalStateException(
                        "task " + task.describe() + " is " + task.state() + " and has not ended");
            }
            AttemptId attempt = task.attempt().next();
            counts.remove(task);
            splits.takeBack(task.attempt());
            ExecutionTask again = new ExecutionTask(
                    attempt, task.chain(), task.slot(), counts, new MetricsWindow(windowMillis), nowMillis);
            Objects.requireNonNull(tasksOfChain.get(task.chain().name())).set(attempt.subtask(), again);
            next.add(again);
        }
        endedMillis = -1;
        return next;
    }

    /** The task, if that is its present attempt. */
    public Optional<ExecutionTask> task(AttemptId attempt) {
        List<ExecutionTask> subtasks = tasksOfChain.getOrDefault(attempt.chain(), List.of());
        return attempt.subtask() >= 0 && attempt.subtask() < subtasks.size()
                ? Optional.of(subtasks.get(attempt.subtask()))
                        .filter(task -> task.attempt().equals(attempt))
                : Optional.empty();
    }

    JobChain chainOf(String vertex) {
        return chains.stream()
                .filter(chain -> chain.contains(vertex))
                .findFirst()
                .orElseThrow();
    }

    public List<ExecutionTask> live() {
        return tasks().stream().filter(task -> !task.isTerminal()).toList();
    }

    /** Tasks that have not ended in one of these slots, in the order of attempts. */
    public List<ExecutionTask> liveIn(Collection<AllocationId> some) {
        return in(some).filter(task -> !task.isTerminal()).toList();
    }

    /** Tasks in one of these slots that have ended, and whose results other units read, in the order of attempts. */
    public List<ExecutionTask> endedWithResultsIn(Collection<AllocationId> some) {
        return in(some).filter(task -> task.state() == TaskState.FINISHED
                        && !task.chain().results().isEmpty())
                .toList();
    }

    /** The attempts that a worker must run. */
    public Set<AttemptId> expectedAt(WorkerId worker) {
        return in(slots.of(worker))
                .filter(ExecutionTask::isExpectedAtWorker)
                .map(ExecutionTask::attempt)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<ExecutionTask> in(Collection<AllocationId> some) {
        return some.stream()
                .distinct()
                .flatMap(slot -> slots.place(slot).stream())
                .flatMap(place -> chains.stream()
                        .filter(chain -> chain.group().equals(place.group()) && place.subtask() < chain.parallelism())
                        .map(chain -> tasks(chain).get(place.subtask())))
                .sorted(Comparator.comparing(ExecutionTask::attempt));
    }

    public boolean isEnded() {
        return counts.areAllTerminal();
    }

    /** Whether all tasks run or have done their work. */
    public boolean haveAllStarted() {
        return counts.haveAllStarted();
    }

    public boolean isFinished() {
        return counts.areAllFinished();
    }

    public boolean isReadyToCommit() {
        return counts.areAllReadyOrFinished();
    }

    /** Whether all input has been read, of sources and of stored results: a restart would only lose work. */
    public boolean isDrained() {
        return counts.areReadersReadyOrFinished();
    }

    /** Names of the tasks that were lost with their workers. */
    public List<String> lostWithWorkers() {
        return tasks().stream()
                .filter(task -> task.failure()
                        .filter(failure -> failure.blame() == Blame.WORKER)
                        .isPresent())
                .map(ExecutionTask::name)
                .toList();
    }

    /** Records the time when the last task ended. */
    public void noteEnd(long nowMillis) {
        if (endedMillis < 0 && isEnded()) {
            endedMillis = nowMillis;
        }
    }

    /** From deployment until the last task ended, or until now. */
    public long runMillis(long nowMillis) {
        return (endedMillis < 0 ? nowMillis : endedMillis) - startedMillis;
    }
}
