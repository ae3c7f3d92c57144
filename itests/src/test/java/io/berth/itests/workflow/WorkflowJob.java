package io.berth.itests.workflow;

import io.berth.itests.workflow.Workflow.Dependency;
import io.berth.itests.workflow.Workflow.Task;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;

/**
 * A workflow as a job of Berth. Each task is a vertex of its own: vertices with one subtask for each task of the same kind
 * would wait for all of that kind, and the workflow says more exactly what each task waits for. Each dependency is an edge,
 * so the operator of a task has several edges into its only input. The time of a task is a millisecond for each second.
 * Immutable.
 *
 * @param parallelism of each vertex
 * @param pipelined the partitioning of dependencies that are pipelined; the others are blocking
 * @param gate a task that ends only when a file is there
 */
public record WorkflowJob(Workflow workflow, int parallelism, Map<Dependency, String> pipelined, Optional<Gate> gate) {

    static final String FORWARD = "forward";
    static final String REBALANCE = "rebalance";

    private static final long MILLIS_PER_SECOND = 1;

    /** A task waits for a file. When it begins to wait, it creates a file of the same name and {@code .awaited}. */
    public record Gate(String task, Path file) {

        /** The file that is there when the task waits. */
        public Path awaited() {
            return file.resolveSibling(file.getFileName() + ".awaited");
        }
    }

    public WorkflowJob {
        pipelined = Map.copyOf(pipelined);
    }

    /** One subtask for each task, and only blocking edges. */
    public static WorkflowJob of(Workflow workflow) {
        return new WorkflowJob(workflow, 1, Map.of(), Optional.empty());
    }

    public WorkflowJob with(Gate waiting) {
        return new WorkflowJob(workflow, parallelism, pipelined, Optional.of(waiting));
    }

    /**
     * The description of the job.
     *
     * @param bundle the hash of the bundle with the operators
     */
    public String description(String bundle) {
        StringBuilder text = new StringBuilder("name: " + workflow.name() + "\nbundles: [" + bundle + "]\nvertices:\n");
        SortedSet<String> sinks = workflow.sinks();
        for (Task task : workflow.tasks()) {
            boolean isSink = sinks.contains(task.id());
            if (isSink && task.parents().isEmpty()) {
                throw new IllegalArgumentException(
                        workflow.name() + ": task " + task.id() + " has neither parents nor children; allowed: either");
            }
            String operator = task.parents().isEmpty() ? "workflow-begin" : isSink ? "workflow-end" : "workflow-step";
            text.append(String.format(
                    Locale.ROOT,
                    "  - {name: '%s', operator: %s, parallelism: %d, configuration: {millis: %d%s}}%n",
                    task.id(),
                    operator,
                    parallelism,
                    Math.round(task.seconds() * MILLIS_PER_SECOND),
                    gate.filter(waiting -> waiting.task().equals(task.id()))
                            .map(waiting -> ", file: '" + waiting.file() + "', awaited: '" + waiting.awaited() + "'")
                            .orElse("")));
        }
        List<Dependency> dependencies = workflow.dependencies();
        text.append("edges:\n");
        for (Dependency each : dependencies) {
            text.append(String.format(
                    Locale.ROOT,
                    "  - {from: '%s', to: '%s', partitioning: %s, exchange: %s}%n",
                    each.parent(),
                    each.child(),
                    pipelined.getOrDefault(each, REBALANCE),
                    pipelined.containsKey(each) ? "pipelined" : "blocking"));
        }
        return text.toString();
    }
}
