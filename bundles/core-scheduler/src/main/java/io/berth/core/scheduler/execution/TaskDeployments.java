package io.berth.core.scheduler.execution;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.ProducerColumns;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import io.berth.spi.WorkerId;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** Builds the deployments of one execution: operators, inputs and outputs. */
public final class TaskDeployments {

    private final JobIdentity job;
    private final EndpointRef dispatcher;
    private final ExecutionGraph execution;
    private final Function<WorkerId, String> dataAddress;
    private final Map<Integer, List<Producer>> results;
    /** Producers of an edge that each consumer reads: one shared list. */
    private final Map<Integer, List<Producer>> producersOfEdge = new TreeMap<>();

    /** @param results where the results of the blocking edges are that the tasks read, by the number of the edge */
    public TaskDeployments(
            JobIdentity job,
            EndpointRef dispatcher,
            ExecutionGraph execution,
            Function<WorkerId, String> dataAddress,
            Map<Integer, List<Producer>> results) {
        this.results = results;
        this.job = job;
        this.dispatcher = dispatcher;
        this.execution = execution;
        this.dataAddress = dataAddress;
    }

    public TaskDeployment of(ExecutionTask task) {
        JobGraph graph = job.graph();
        JobChain chain = task.chain();
        return new TaskDeployment(
                task.attempt(),
                graph.name(),
                job.endpoint(),
                dispatcher,
                task.slot().allocation(),
                chain.head().runtime(),
                chain.parallelism(),
                chain.head().maxParallelism(),
                graph.bundles(),
                chain.vertices().stream().map(TaskDeployments::operator).toList(),
                Stream.concat(
                                chain.inputs().stream().map(edge -> input(edge, task)),
                                chain.reads().stream().map(this::input))
                        .sorted(Comparator.comparing(Input::edge))
                        .toList(),
                Stream.concat(
                                chain.outputs().stream().map(this::output),
                                chain.results().stream().map(TaskDeployments::output))
                        .sorted(Comparator.comparing(Output::edge))
                        .toList(),
                chain.head().hasRendezvous() ? rendezvous(chain) : "");
    }

    private String rendezvous(JobChain chain) {
        ExecutionTask first = execution.tasks(chain).get(0);
        return Rendezvous.of(first.attempt(), dataAddress.apply(first.worker()));
    }

    private Input input(BlockingEdge edge) {
        return new Input(
                edge.number(),
                edge.edge().partitioning(),
                Exchange.BLOCKING,
                operator(edge.from()),
                Objects.requireNonNull(results.get(edge.number())),
                edge.edge().input(),
                edge.edge().output());
    }

    private static Output output(BlockingEdge edge) {
        return new Output(
                edge.number(),
                edge.edge().partitioning(),
                Exchange.BLOCKING,
                operator(edge.to()),
                edge.parts(),
                edge.to().maxParallelism(),
                edge.edge().input(),
                edge.edge().output());
    }

    private Input input(int index, ExecutionTask consumer) {
        JobEdge edge = job.graph().edges().get(index);
        int number = job.unit().edges().get(index);
        List<Producer> producers = producersOfEdge.computeIfAbsent(
                number,
                // One object, so that it is sent to each worker once.
                any -> inColumns(execution.tasks(execution.chainOf(edge.from())).stream()
                        .map(task ->
                                new Producer(new PartitionId(task.attempt(), number), dataAddress.apply(task.worker())))
                        .toList()));
        if (edge.partitioning() == Partitioning.FORWARD) {
            producers = List.of(producers.get(consumer.attempt().subtask()));
        }
        return new Input(
                number,
                edge.partitioning(),
                edge.exchange(),
                operator(job.graph().vertex(edge.from())),
                producers,
                edge.input(),
                edge.output());
    }

    private static List<Producer> inColumns(List<Producer> producers) {
        return ProducerColumns.of(producers).map(ProducerColumns::rows).orElseGet(() -> List.copyOf(producers));
    }

    private Output output(int index) {
        JobEdge edge = job.graph().edges().get(index);
        int number = job.unit().edges().get(index);
        JobVertex consumer = job.graph().vertex(edge.to());
        int consumers = edge.partitioning() == Partitioning.FORWARD
                ? 1
                : execution.chainOf(edge.to()).parallelism();
        return new Output(
                number,
                edge.partitioning(),
                edge.exchange(),
                operator(consumer),
                consumers,
                consumer.maxParallelism(),
                edge.input(),
                edge.output());
    }

    private static ChainedOperator operator(JobVertex vertex) {
        return new ChainedOperator(vertex.name(), vertex.operator(), vertex.configuration());
    }
}
