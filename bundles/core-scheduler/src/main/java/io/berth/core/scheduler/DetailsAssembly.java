package io.berth.core.scheduler;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobDetails;
import io.berth.core.api.job.JobDetails.GroupDetails;
import io.berth.core.api.job.JobDetails.SlotDetails;
import io.berth.core.api.job.JobDetails.VertexDetails;
import io.berth.core.api.job.JobEvents;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.Waiting;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.execution.ExecutionGraph;
import io.berth.core.scheduler.execution.ExecutionTask;
import io.berth.core.scheduler.job.JobHistory;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.core.scheduler.slotpool.SlotPool;
import io.berth.core.scheduler.states.State;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Builds the details of a job that users see. */
final class DetailsAssembly {

    private DetailsAssembly() {}

    private static final class Sums {
        private int running;
        private int finished;
        private long recordsIn;
        private long recordsOut;
        private long exchangedIn;
    }

    /**
     * @param events failures and rescales
     * @param waiting why it does not run
     * @param execution whose metrics are shown; empty when the job does not run
     * @param runMillis of the last execution
     * @param measures of the execution that runs
     */
    static JobDetails of(
            JobGraph graph,
            State state,
            JobHistory history,
            JobEvents events,
            Waiting waiting,
            Optional<ExecutionGraph> execution,
            long runMillis,
            List<GroupRequirement> requirements,
            SlotPool pool,
            JobMeasures measures) {
        Map<String, Sums> sums = new TreeMap<>();
        SortedMap<String, Long> counters = new TreeMap<>();
        execution.ifPresent(running -> running.tasks().forEach(task -> {
            add(task, sums);
            task.metrics().counters().forEach((name, count) -> counters.merge(name, count, Long::sum));
        }));
        List<VertexDetails> vertices = new ArrayList<>();
        for (int index = 0; index < graph.vertices().size(); index++) {
            JobVertex vertex = graph.vertices().get(index);
            int parallelism =
                    execution.isEmpty() ? 0 : execution.get().parallelism().get(index);
            Sums sum = sums.getOrDefault(vertex.name(), new Sums());
            vertices.add(new VertexDetails(
                    vertex.name(),
                    vertex.operator(),
                    vertex.minimum(),
                    vertex.desired(),
                    vertex.maximum(),
                    parallelism,
                    sum.running,
                    sum.finished,
                    sum.recordsIn,
                    sum.recordsOut,
                    sum.exchangedIn));
        }
        // The end is reported before its slots are returned, and the Dispatcher receives nothing after it.
        boolean ended = state.status().isTerminal();
        List<PoolSlot> held = ended ? List.of() : pool.slots();
        return JobDetails.of(graph)
                .status(state.status())
                .submittedMillis(history.submittedMillis())
                .startedMillis(history.startedMillis())
                .endedMillis(history.endedMillis())
                .restarts(history.restarts())
                .rescales(history.rescales())
                .runMillis(runMillis)
                .reason(state.reason())
                .waiting(waiting)
                .vertices(vertices)
                .groups(requirements.stream()
                        .map(group -> new GroupDetails(
                                group.group(),
                                group.profile().toString(),
                                group.minimum(),
                                group.desired(),
                                ended ? 0 : pool.has(group.group())))
                        .toList())
                .slots(held.stream()
                        .map(slot -> new SlotDetails(
                                slot.allocation().toString(),
                                slot.worker().value(),
                                slot.group(),
                                slot.profile().toString(),
                                slot.decision()))
                        .toList())
                .counters(counters)
                .measures(measures)
                .history(history.transitions())
                .events(events)
                .build();
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
