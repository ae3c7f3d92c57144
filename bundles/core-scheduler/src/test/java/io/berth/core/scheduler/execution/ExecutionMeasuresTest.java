package io.berth.core.scheduler.execution;

import static io.berth.core.scheduler.Jobs.SLOT;
import static io.berth.core.scheduler.Jobs.wordCount;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.berth.core.api.FencingToken;
import io.berth.core.api.fake.ManualTime;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskReport;
import io.berth.core.api.gateway.TaskExecutorGateway.TaskStatus;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobMeasures;
import io.berth.core.api.job.JobRescale;
import io.berth.core.api.job.JobRescale.Change;
import io.berth.core.api.job.JobRescale.Kind;
import io.berth.core.api.job.JobRescale.Outcome;
import io.berth.core.api.job.JobRescale.Phase;
import io.berth.core.api.job.JobStatus;
import io.berth.core.api.job.VertexMeasures;
import io.berth.core.api.job.VertexMeasures.TaskMeasures;
import io.berth.core.api.rpc.EndpointName;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.rpc.RpcAddress;
import io.berth.core.api.task.SplitPart;
import io.berth.core.api.task.TaskMetrics;
import io.berth.core.api.task.TaskMetrics.Activity;
import io.berth.core.api.task.TaskMetrics.OperatorMetrics;
import io.berth.core.api.task.TaskState;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.measurement.ExecutionMeasures;
import io.berth.core.scheduler.measurement.RescaleLog;
import io.berth.core.scheduler.slotpool.PoolSlot;
import io.berth.spi.AllocationId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the tasks of a job report, summed up for its vertices. */
class ExecutionMeasuresTest {

    private static final long SECOND = 1_000_000;

    private final JobGraph graph = wordCount(1, 2);
    private final JobIdentity job = new JobIdentity(
            graph,
            new EndpointRef(new RpcAddress("h", 1), EndpointName.JOB_MASTERS, new FencingToken(1, new UUID(0, 0))));

    private ExecutionGraph execution(long number) {
        return execution(number, List.of(2, 2, 2, 2));
    }

    private ExecutionGraph execution(long number, List<Integer> parallelism) {
        List<PoolSlot> slots = new ArrayList<>();
        for (int index = 0; index < parallelism.get(0); index++) {
            slots.add(new PoolSlot(
                    new AllocationId(1, index), new WorkerId("w" + index), "default", "default", SLOT, false, 1));
        }
        return new ExecutionGraph(job, number, parallelism, new TreeMap<>(Map.of("default", slots)), 0, 60_000);
    }

    private static void report(ExecutionGraph execution, ExecutionTask task, long records, Activity activity) {
        List<OperatorMetrics> operators = task.chain().vertices().stream()
                .map(vertex -> new OperatorMetrics(vertex.name(), records, 2 * records))
                .toList();
        TaskReconciliation.of(
                Optional.of(execution),
                task.worker(),
                Set.of(),
                new TaskReport(
                        List.of(new TaskStatus(
                                task.attempt(),
                                TaskState.RUNNING,
                                new TaskMetrics(operators, 0, 0, new TreeMap<>(), Optional.of(activity)))),
                        0));
    }

    private static Activity activity(long elapsed, long idle, long backPressured, Long backlog, Long lag) {
        return new Activity(elapsed, idle, backPressured, Optional.ofNullable(backlog), Optional.ofNullable(lag));
    }

    private JobMeasures measures(ExecutionGraph execution) {
        return ExecutionMeasures.of(graph, Optional.of(execution), Optional.empty(), List.of());
    }

    @Test
    void nothingIsKnownBeforeTwoReports() {
        ExecutionGraph execution = execution(1);
        assertThat(measures(execution).windowMillis()).isEmpty();
        assertThat(measures(execution).vertices()).hasSize(4).containsOnly(VertexMeasures.NONE);
        execution.tasks().forEach(task -> report(execution, task, 1, activity(SECOND, 0, 0, null, null)));
        assertThat(measures(execution).vertex(0)).isEqualTo(VertexMeasures.NONE);
        assertThat(ExecutionMeasures.of(graph, Optional.empty(), Optional.of(7L), List.of()))
                .isEqualTo(new JobMeasures(Optional.empty(), List.of(), Optional.of(7L), List.of()));
    }

    @Test
    void meanAndGreatestAreOverTheTasksOfAVertex() {
        ExecutionGraph execution = execution(1);
        List<ExecutionTask> sources = execution.tasks(execution.chains().get(0));
        for (ExecutionTask task : sources) {
            report(execution, task, 0, activity(0, 0, 0, 90L, null));
        }
        report(execution, sources.get(0), 100, activity(10 * SECOND, SECOND, 2 * SECOND, 40L, 5_000L));
        report(execution, sources.get(1), 300, activity(10 * SECOND, 3 * SECOND, 0, 2L, null));
        execution
                .splits()
                .report(sources.get(0).attempt(), "source", new SplitPart(0, List.of(new byte[1], new byte[1]), true));
        JobMeasures measures = measures(execution);
        assertThat(measures.windowMillis()).hasValue(10_000L);
        TaskMeasures source = measures.vertex(0).tasks().orElseThrow();
        assertThat(source.count()).isEqualTo(2);
        assertThat(source.recordsOut()).isEqualTo(new VertexMeasures.Spread(40, 60));
        assertThat(source.idle().mean()).isEqualTo(0.2, within(1e-9));
        assertThat(source.backPressured().greatest()).isEqualTo(0.2, within(1e-9));
        assertThat(source.busy().mean()
                        + source.idle().mean()
                        + source.backPressured().mean())
                .isEqualTo(1, within(1e-9));
        assertThat(measures.vertex(0).backlogSplits()).hasValue(2L);
        assertThat(measures.vertex(0).backlogRecords()).hasValue(42L);
        assertThat(measures.vertex(0).lagMillis())
                .as("as far as one task knows")
                .hasValue(5_000L);
        assertThat(measures.vertex(1).tasks().orElseThrow().busy())
                .as("chained into the same tasks")
                .isEqualTo(source.busy());
        assertThat(measures.vertex(1).backlogSplits()).as("no source").isEmpty();
        assertThat(measures.vertex(2).tasks()).as("no task has reported").isEmpty();
        report(execution, sources.get(1), 300, activity(11 * SECOND, 3 * SECOND, 0, null, null));
        assertThat(measures(execution).vertex(0).backlogRecords())
                .as("one task does not know")
                .isEmpty();
    }

    @Test
    void aRescaleCostsUntilAllTasksOfALaterExecutionRun() {
        ManualTime time = new ManualTime();
        RescaleLog log = new RescaleLog(() -> graph, time);
        ExecutionGraph stopped = execution(1);
        stopped.tasks().forEach(task -> run(stopped, task));
        log.begins(stopped, Kind.RESCALE, "more", "policy");
        time.advance(100);
        assertThat(log.observe(Optional.of(stopped))).as("the old execution").isEmpty();
        ExecutionGraph next = execution(2);
        time.advance(400);
        assertThat(log.observe(Optional.of(next))).isEmpty();
        next.tasks().forEach(task -> run(next, task));
        time.advance(1_500);
        assertThat(log.observe(Optional.of(next))).hasValue(2_000L);
        time.advance(6_000);
        assertThat(log.observe(Optional.of(next))).as("it is over").isEmpty();
        assertThat(log.lastMillis()).hasValue(2_000L);
    }

    @Test
    void theTimeOfARescaleIsDividedByState() {
        ManualTime time = new ManualTime();
        RescaleLog log = new RescaleLog(() -> graph, time);
        ExecutionGraph stopped = execution(1);
        long began = time.wallMillis();
        log.begins(stopped, Kind.RESCALE, "more", "policy");
        log.entered(JobStatus.RESTARTING);
        time.advance(30);
        log.entered(JobStatus.CREATING_EXECUTION_GRAPH);
        time.advance(5);
        log.entered(JobStatus.EXECUTING);
        time.advance(200);
        ExecutionGraph failed = execution(2);
        log.failed(failed, "it failed before all of its tasks ran");
        log.entered(JobStatus.RESTARTING);
        time.advance(70);
        log.entered(JobStatus.EXECUTING);
        ExecutionGraph next = execution(3);
        next.tasks().forEach(task -> run(next, task));
        time.advance(10);
        log.observe(Optional.of(next));
        assertThat(log.rescales())
                .containsExactly(new JobRescale(
                        began,
                        Kind.RESCALE,
                        "more",
                        "policy",
                        Stream.of("source", "split", "count", "sink")
                                .map(vertex -> new Change(vertex, 2, 2))
                                .toList(),
                        List.of(new Change("default", 2, 2)),
                        List.of(
                                new Phase(JobStatus.RESTARTING, 100),
                                new Phase(JobStatus.CREATING_EXECUTION_GRAPH, 5),
                                new Phase(JobStatus.EXECUTING, 210)),
                        Outcome.DONE));
    }

    @Test
    void aFailureIsARescaleOnlyAtAnotherParallelism() {
        ManualTime time = new ManualTime();
        RescaleLog log = new RescaleLog(() -> graph, time);
        log.failed(execution(1), "lost");
        assertThat(log.rescales()).as("not known yet").isEmpty();
        ExecutionGraph same = execution(2);
        same.tasks().forEach(task -> run(same, task));
        log.observe(Optional.of(same));
        assertThat(log.rescales()).isEmpty();
        log.failed(same, "lost again");
        ExecutionGraph other = execution(3, List.of(1, 1, 1, 1));
        other.tasks().forEach(task -> run(other, task));
        log.observe(Optional.of(other));
        assertThat(log.rescales()).singleElement().satisfies(rescale -> {
            assertThat(rescale.kind()).isEqualTo(Kind.FAILURE);
            assertThat(rescale.trigger()).isEqualTo("lost again");
            assertThat(rescale.vertices()).contains(new Change("count", 2, 1));
        });
        assertThat(log.lastMillis())
                .as("the cost of a rescale is not that of a failure")
                .isEmpty();
    }

    @Test
    void aRescaleThatDoesNotEndSaysWhy() {
        RescaleLog log = new RescaleLog(() -> graph, new ManualTime());
        log.begins(execution(1), Kind.MOVE, "worker w0 leaves", "");
        assertThat(log.rescales()).extracting(JobRescale::outcome).containsExactly(Outcome.UNDER_WAY);
        log.begins(execution(2), Kind.RESCALE, "more", "policy");
        log.entered(JobStatus.CANCELED);
        assertThat(log.rescales())
                .extracting(JobRescale::outcome)
                .containsExactly(Outcome.OVERTAKEN, Outcome.JOB_ENDED);
    }

    private static void run(ExecutionGraph execution, ExecutionTask task) {
        task.deploying();
        report(execution, task, 0, activity(0, 0, 0, null, null));
    }
}
