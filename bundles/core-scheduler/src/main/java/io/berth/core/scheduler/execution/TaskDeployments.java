package io.berth.core.scheduler.execution;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.rpc.EndpointRef;
import io.berth.core.api.task.PartitionId;
import io.berth.core.api.task.TaskDeployment;
import io.berth.core.api.task.TaskDeployment.ChainedOperator;
import io.berth.core.api.task.TaskDeployment.Input;
import io.berth.core.api.task.TaskDeployment.Output;
import io.berth.core.api.task.TaskDeployment.Producer;
import io.berth.core.scheduler.job.JobIdentity;
import io.berth.spi.WorkerId;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Builds the deployments of one execution: operators, inputs and outputs. */
public final class TaskDeployments {

    private static final String RUNTIME = "dataflow";

    private final JobIdentity job;
    private final EndpointRef dispatcher;
    private final ExecutionGraph execution;
    private final Function<WorkerId, String> dataAddress;
    /** Producers of an edge that each consumer reads: one shared list. */
    private final Map<Integer, List<Producer>> producersOfEdge = new TreeMap<>();

    public TaskDeployments(
            JobIdentity job, EndpointRef dispatcher, ExecutionGraph execution, Function<WorkerId, String> dataAddress) {
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
                RUNTIME,
                chain.parallelism(),
                chain.head().maxParallelism(),
                graph.bundles(),
                chain.vertices().stream().map(TaskDeployments::operator).toList(),
                chain.inputs().stream().map(edge -> input(edge, task)).toList(),
                chain.outputs().stream().map(this::output).toList());
    }

    private Input input(int number, ExecutionTask consumer) {
        JobEdge edge = job.graph().edges().get(number);
        List<Producer> producers = producersOfEdge.computeIfAbsent(
                number,
                any -> execution.tasks(execution.chainOf(edge.from())).stream()
                        .map(task ->
                                new Producer(new PartitionId(task.attempt(), number), dataAddress.apply(task.worker())))
                        .toList());
        if (edge.partitioning() == Partitioning.FORWARD) {
            producers = List.of(producers.get(consumer.attempt().subtask()));
        }
        return new Input(number, edge.partitioning(), operator(job.graph().vertex(edge.from())), producers);
    }

    private Output output(int number) {
        JobEdge edge = job.graph().edges().get(number);
        JobVertex consumer = job.graph().vertex(edge.to());
        int consumers = edge.partitioning() == Partitioning.FORWARD
                ? 1
                : execution.chainOf(edge.to()).parallelism();
        return new Output(number, edge.partitioning(), operator(consumer), consumers, consumer.maxParallelism());
    }

    private static ChainedOperator operator(JobVertex vertex) {
        return new ChainedOperator(vertex.name(), vertex.operator(), vertex.configuration());
    }
}
