package io.berth.core.scheduler.measurement;

import io.berth.core.api.job.GroupRoom;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.Spread;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.execution.JobChain;
import io.berth.core.scheduler.execution.MetricsWindow.Change;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Sums up what the tasks of an execution reported, for each vertex. Pure functions. */
public final class ExecutionMeasures {

    private ExecutionMeasures() {}

    /**
     * @param execution that runs; empty when the job does not run
     * @param lastRescaleMillis what the last rescale cost
     * @param room what the ResourceManager said
     */
    public static JobMeasures of(
            JobGraph graph,
            Optional<ExecutionGraph> execution,
            Optional<Long> lastRescaleMillis,
            List<GroupRoom> room) {
        if (execution.isEmpty()) {
            return new JobMeasures(Optional.empty(), List.of(), lastRescaleMillis, room);
        }
        SortedMap<String, VertexMeasures> measured = new TreeMap<>();
        long windowMicros = Long.MAX_VALUE;
        for (JobChain chain : execution.get().chains()) {
            List<ExecutionTask> tasks = execution.get().tasks(chain);
            List<Change> changes = tasks.stream()
                    .flatMap(task -> task.window().change().stream())
                    .toList();
            for (Change change : changes) {
                windowMicros = Math.min(windowMicros, change.micros());
            }
            for (JobVertex vertex : chain.vertices()) {
                boolean source = chain.isSource() && vertex.name().equals(chain.name());
                measured.put(
                        vertex.name(),
                        new VertexMeasures(
                                tasks(vertex.name(), changes),
                                source ? execution.get().splits().left(vertex.name()) : Optional.empty(),
                                source ? backlog(tasks) : Optional.empty(),
                                source ? lag(tasks) : Optional.empty()));
            }
        }
        List<VertexMeasures> vertices = new ArrayList<>();
        for (JobVertex vertex : graph.vertices()) {
            vertices.add(measured.getOrDefault(vertex.name(), VertexMeasures.NONE));
        }
        return new JobMeasures(
                windowMicros == Long.MAX_VALUE ? Optional.empty() : Optional.of(windowMicros / 1_000),
                vertices,
                lastRescaleMillis,
                room);
    }

    private static Optional<TaskMeasures> tasks(String vertex, List<Change> changes) {
        return changes.isEmpty()
                ? Optional.empty()
                : Optional.of(new TaskMeasures(
                        changes.size(),
                        spread(changes, change -> change.recordsIn(vertex)),
                        spread(changes, change -> change.recordsOut(vertex)),
                        spread(changes, Change::busy),
                        spread(changes, Change::idle),
                        spread(changes, Change::backPressured)));
    }

    private static Spread spread(List<Change> changes, ToDoubleFunction<Change> figure) {
        double sum = 0;
        double greatest = 0;
        for (Change change : changes) {
            double value = figure.applyAsDouble(change);
            sum += value;
            greatest = Math.max(greatest, value);
        }
        return new Spread(sum / changes.size(), greatest);
    }

    private static Stream<Activity> activities(List<ExecutionTask> tasks) {
        return tasks.stream()
                .filter(task -> !task.state().isTerminal() && task.state() != TaskState.READY_TO_COMMIT)
                .flatMap(task -> task.metrics().activity().stream());
    }

    /** The sum; empty when one task does not know. */
    private static Optional<Long> backlog(List<ExecutionTask> tasks) {
        List<Optional<Long>> left =
                activities(tasks).map(Activity::backlogRecords).toList();
        return left.isEmpty() || left.stream().anyMatch(Optional::isEmpty)
                ? Optional.empty()
                : Optional.of(left.stream().mapToLong(Optional::orElseThrow).sum());
    }

    private static Optional<Long> lag(List<ExecutionTask> tasks) {
        return activities(tasks)
                .flatMap(activity -> activity.lagMillis().stream())
                .max(Comparator.naturalOrder());
    }
}
