package io.berth.core.scheduler.execution;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.scheduler.job.JobUnit;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import io.berth.core.scheduler.job.Requirements;
import java.util.ArrayList;
import java.util.List;

/**
 * Vertices that run in one task, calling each other.
 *
 * @param vertices first to last
 * @param parallelism of all of them
 * @param inputs indexes of the edges into the first vertex, in the graph of its unit
 * @param outputs indexes of the edges out of the last vertex
 * @param reads blocking edges into the first vertex
 * @param results blocking edges out of the last vertex
 */
public record JobChain(
        List<JobVertex> vertices,
        int parallelism,
        List<Integer> inputs,
        List<Integer> outputs,
        List<BlockingEdge> reads,
        List<BlockingEdge> results) {

    public JobChain {
        vertices = List.copyOf(vertices);
        inputs = List.copyOf(inputs);
        outputs = List.copyOf(outputs);
        reads = List.copyOf(reads);
        results = List.copyOf(results);
    }

    public String name() {
        return head().name();
    }

    JobVertex head() {
        return vertices.get(0);
    }

    String group() {
        return head().group();
    }

    /** Whether it has no input from other tasks that run. */
    public boolean isSource() {
        return inputs.isEmpty();
    }

    /** Whether it reads what no task that runs writes: as a source, or as the consumer of stored results. */
    boolean readsWhatIsThere() {
        return isSource() || !reads.isEmpty();
    }

    boolean contains(String vertex) {
        return vertices.stream().anyMatch(candidate -> candidate.name().equals(vertex));
    }

    /**
     * Divides a unit into chains, in topological order. An edge is inside a chain when it is forward, both ends have the
     * same parallelism, number of key groups and slot sharing group, it is the only input of its consumer and the only
     * output of its producer. So an operator with two inputs begins a chain, and one whose side outputs are read ends it.
     */
    static List<JobChain> of(JobUnit unit, List<Integer> parallelism) {
        JobGraph graph = unit.graph();
        List<JobChain> chains = new ArrayList<>();
        for (JobVertex vertex : graph.vertices()) {
            List<Integer> inputs = edgesInto(graph, vertex);
            if (inputs.size() == 1 && isChained(unit, parallelism, inputs.get(0))) {
                continue;
            }
            List<JobVertex> vertices = new ArrayList<>(List.of(vertex));
            List<Integer> outputs = edgesOutOf(graph, vertex);
            while (outputs.size() == 1 && isChained(unit, parallelism, outputs.get(0))) {
                JobVertex next = graph.vertex(graph.edges().get(outputs.get(0)).to());
                vertices.add(next);
                outputs = edgesOutOf(graph, next);
            }
            int width = parallelism.get(Requirements.indexOf(graph, vertex.name()));
            JobVertex last = vertices.get(vertices.size() - 1);
            chains.add(new JobChain(vertices, width, inputs, outputs, into(unit, vertex), outOf(unit, last)));
        }
        return List.copyOf(chains);
    }

    private static List<BlockingEdge> into(JobUnit unit, JobVertex vertex) {
        return unit.inputs().stream()
                .filter(edge -> edge.to().name().equals(vertex.name()))
                .toList();
    }

    private static List<BlockingEdge> outOf(JobUnit unit, JobVertex vertex) {
        return unit.outputs().stream()
                .filter(edge -> edge.from().name().equals(vertex.name()))
                .toList();
    }

    private static boolean isChained(JobUnit unit, List<Integer> parallelism, int number) {
        JobGraph graph = unit.graph();
        JobEdge edge = graph.edges().get(number);
        JobVertex producer = graph.vertex(edge.from());
        JobVertex consumer = graph.vertex(edge.to());
        return edge.partitioning() == Partitioning.FORWARD
                && edge.isMain()
                && parallelism
                        .get(Requirements.indexOf(graph, producer.name()))
                        .equals(parallelism.get(Requirements.indexOf(graph, consumer.name())))
                && producer.maxParallelism() == consumer.maxParallelism()
                && producer.group().equals(consumer.group())
                && edgesInto(graph, consumer).size() == 1
                && edgesOutOf(graph, producer).size() == 1
                && into(unit, consumer).isEmpty()
                && outOf(unit, producer).isEmpty();
    }

    private static List<Integer> edgesInto(JobGraph graph, JobVertex vertex) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < graph.edges().size(); number++) {
            if (graph.edges().get(number).to().equals(vertex.name())) {
                numbers.add(number);
            }
        }
        return numbers;
    }

    private static List<Integer> edgesOutOf(JobGraph graph, JobVertex vertex) {
        List<Integer> numbers = new ArrayList<>();
        for (int number = 0; number < graph.edges().size(); number++) {
            if (graph.edges().get(number).from().equals(vertex.name())) {
                numbers.add(number);
            }
        }
        return numbers;
    }
}
