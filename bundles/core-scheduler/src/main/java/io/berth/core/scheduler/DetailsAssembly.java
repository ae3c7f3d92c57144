package io.berth.core.scheduler;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.SlotDetails;
import io.berth.core.api.job.JobDetails.Transition;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobFailure;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.JobUnits.Unit;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.job.JobHistory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds the details of a job that users see. */
final class DetailsAssembly {

    private static final int MAX_TRANSITIONS = 100;

    private DetailsAssembly() {}

    private static final class Sums {
        private int running;
        private int finished;
        private long recordsIn;
        private long recordsOut;
        private long exchangedIn;
    }

    /**
     * @param units in topological order
     * @param nowMillis wall time
     */
    static JobDetails of(JobGraph job, List<Unit> units, JobStatus status, long nowMillis) {
        // The end is reported before its slots are returned, and the Dispatcher receives nothing after it.
        boolean ended = status.isTerminal();
        List<UnitView> views = units.stream()
                .flatMap(unit -> unit.run().stream())
                .map(run -> run.scheduler().view())
                .toList();
        SortedMap<String, Long> counters = new TreeMap<>();
        views.forEach(view -> tasks(view)
                .forEach(task ->
                        task.metrics().counters().forEach((name, count) -> counters.merge(name, count, Long::sum))));
        List<JobHistory> histories =
                units.stream().map(unit -> unit.record().history()).toList();
        return JobDetails.of(job)
                .status(status)
                .submittedMillis(histories.get(0).submittedMillis())
                .startedMillis(histories.stream()
                        .mapToLong(JobHistory::startedMillis)
                        .filter(started -> started > 0)
                        .min()
                        .orElse(0))
                .endedMillis(ended ? endedMillis(histories, nowMillis) : 0)
                .restarts(histories.stream().mapToInt(JobHistory::restarts).sum())
                .rescales(histories.stream().mapToInt(JobHistory::rescales).sum())
                .runMillis(views.stream().mapToLong(UnitView::runMillis).sum())
                .reason(UnitSummary.reason(units, status))
                .waiting(units.size() == 1 ? views.get(0).waiting() : UnitSummary.waiting(views, status, nowMillis))
                .vertices(vertices(job, views))
                .groups(groups(job, views, ended))
                .slots(ended ? List.of() : slots(views))
                .counters(counters)
                .measures(measures(job, views))
                .history(transitions(units))
                .events(events(units))
                .build();
    }

    private static Collection<ExecutionTask> tasks(UnitView view) {
        return view.state().execution().map(ExecutionGraph::tasks).orElse(List.of());
    }

    private static long endedMillis(List<JobHistory> histories, long nowMillis) {
        long last = histories.stream().mapToLong(JobHistory::endedMillis).max().orElse(0);
        return last == 0 ? nowMillis : last;
    }

    private static List<VertexDetails> vertices(JobGraph job, List<UnitView> views) {
        Map<String, Sums> sums = new TreeMap<>();
        Map<String, Integer> parallelism = new TreeMap<>();
        for (UnitView view : views) {
            tasks(view).forEach(task -> add(task, sums));
            view.state().execution().ifPresent(execution -> {
                for (int vertex = 0; vertex < view.graph().vertices().size(); vertex++) {
                    parallelism.put(
                            view.graph().vertices().get(vertex).name(),
                            execution.parallelism().get(vertex));
                }
            });
        }
        List<VertexDetails> vertices = new ArrayList<>();
        for (JobVertex vertex : job.vertices()) {
            Sums sum = sums.getOrDefault(vertex.name(), new Sums());
            vertices.add(new VertexDetails(
                    vertex.name(),
                    vertex.operator(),
                    vertex.minimum(),
                    vertex.desired(),
                    vertex.maximum(),
                    parallelism.getOrDefault(vertex.name(), 0),
                    sum.running,
                    sum.finished,
                    sum.recordsIn,
                    sum.recordsOut,
                    sum.exchangedIn));
        }
        return vertices;
    }

    /** Units that have ended require nothing, unless the job has. */
    private static List<GroupDetails> groups(JobGraph job, List<UnitView> views, boolean ended) {
        List<GroupDetails> groups = new ArrayList<>();
        for (SlotSharingGroup group : job.groups()) {
            int minimum = 0;
            int desired = 0;
            int acquired = 0;
            boolean required = false;
            for (UnitView view : views) {
                for (GroupRequirement requirement : view.requirements()) {
                    if (requirement.group().equals(group.name())) {
                        required = true;
                        minimum += requirement.minimum();
                        desired += requirement.desired();
                        acquired += ended ? 0 : view.pool().has(group.name());
                    }
                }
            }
            if (required) {
                groups.add(new GroupDetails(group.name(), group.profile().toString(), minimum, desired, acquired));
            }
        }
        return groups;
    }

    private static List<SlotDetails> slots(List<UnitView> views) {
        return views.stream()
                .flatMap(view -> view.pool().slots().stream())
                .map(slot -> new SlotDetails(
                        slot.allocation().toString(),
                        slot.worker().value(),
                        slot.group(),
                        slot.profile().toString(),
                        slot.decision()))
                .toList();
    }

    private static JobMeasures measures(JobGraph job, List<UnitView> views) {
        if (views.size() == 1
                && views.get(0).graph().vertices().size() == job.vertices().size()) {
            return views.get(0).measures();
        }
        Map<String, VertexMeasures> measured = new TreeMap<>();
        for (UnitView view : views) {
            for (int vertex = 0; vertex < view.graph().vertices().size(); vertex++) {
                measured.put(
                        view.graph().vertices().get(vertex).name(),
                        view.measures().vertex(vertex));
            }
        }
        return new JobMeasures(
                views.stream()
                        .flatMap(view -> view.measures().windowMillis().stream())
                        .min(Comparator.naturalOrder()),
                job.vertices().stream()
                        .map(vertex -> measured.getOrDefault(vertex.name(), VertexMeasures.NONE))
                        .toList(),
                views.stream()
                        .flatMap(view -> view.measures().lastRescaleMillis().stream())
                        .max(Comparator.naturalOrder()),
                List.of());
    }

    /** Of several units in the order of time, each with the name of its unit. */
    private static List<Transition> transitions(List<Unit> units) {
        if (units.size() == 1) {
            return units.get(0).record().history().transitions();
        }
        List<Transition> all = new ArrayList<>();
        units.forEach(unit -> unit.record()
                .history()
                .transitions()
                .forEach(change -> all.add(new Transition(
                        change.wallMillis(),
                        change.status(),
                        unit.name() + (change.reason().isEmpty() ? "" : ": " + change.reason())))));
        all.sort(Comparator.comparingLong(Transition::wallMillis));
        return List.copyOf(all.subList(Math.max(0, all.size() - MAX_TRANSITIONS), all.size()));
    }

    private static JobEvents events(List<Unit> units) {
        List<JobFailure> failures = new ArrayList<>();
        List<JobRescale> rescales = new ArrayList<>();
        for (Unit unit : units) {
            failures.addAll(unit.record().history().failures());
            rescales.addAll(unit.record().rescales().rescales());
        }
        failures.sort(Comparator.comparingLong(failure -> failure.cause().wallMillis()));
        rescales.sort(Comparator.comparingLong(JobRescale::startedMillis));
        return new JobEvents(failures, rescales);
    }

    private static void add(ExecutionTask task, Map<String, Sums> sums) {
        for (JobVertex vertex : task.chain().vertices()) {
            Sums sum = sums.computeIfAbsent(vertex.name(), name -> new Sums());
            if (task.state() == TaskState.RUNNING || task.state() == TaskState.READY_TO_COMMIT) {
                sum.running++;
            } else if (task.state() == TaskState.FINISHED) {
                sum.finished++;
            }
        }
        for (OperatorMetrics operator : task.metrics().operators()) {
            Sums sum = sums.computeIfAbsent(operator.vertex(), name -> new Sums());
            sum.recordsIn += operator.recordsIn();
            sum.recordsOut += operator.recordsOut();
        }
        Objects.requireNonNull(sums.get(task.chain().name())).exchangedIn +=
                task.metrics().exchangedIn();
    }
}
