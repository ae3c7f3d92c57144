package io.berth.core.scheduler.job;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.JobGraph.SlotSharingGroup;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntBinaryOperator;

/** Computes the slots that a job needs at a parallelism. Pure functions. */
public final class Requirements {

    private Requirements() {}

    /**
     * Slots of each group in the order of the graph. The vertices of a group share its slots, so a group needs as many
     * as its widest vertex.
     *
     * @param desired parallelism of each vertex
     */
    public static List<GroupRequirement> of(JobGraph graph, List<Integer> desired) {
        List<GroupRequirement> requirements = new ArrayList<>();
        for (SlotSharingGroup group : graph.groups()) {
            int minimum = 0;
            int wanted = 0;
            for (int vertex = 0; vertex < graph.vertices().size(); vertex++) {
                JobVertex candidate = graph.vertices().get(vertex);
                if (candidate.group().equals(group.name())) {
                    minimum = Math.max(minimum, candidate.minimum());
                    wanted = Math.max(wanted, desired.get(vertex));
                }
            }
            if (minimum > 0) {
                requirements.add(new GroupRequirement(
                        group.name(), group.profile(), minimum, Math.max(minimum, wanted), group.constraints()));
            }
        }
        return List.copyOf(requirements);
    }

    /** Desired parallelism as the job description gives it. */
    public static List<Integer> desired(JobGraph graph) {
        return graph.vertices().stream().map(JobVertex::desired).toList();
    }

    /** The least parallelism that the job description allows. */
    public static List<Integer> minimum(JobGraph graph) {
        return graph.vertices().stream().map(JobVertex::minimum).toList();
    }

    /**
     * Gives both ends of forward edges the same parallelism, along whole paths of them.
     *
     * @param choice of two: the smaller one or the larger one
     */
    public static List<Integer> alignForward(JobGraph graph, List<Integer> parallelism, IntBinaryOperator choice) {
        List<Integer> aligned = new ArrayList<>(parallelism);
        boolean changed = true;
        while (changed) {
            changed = false;
            for (JobEdge edge : graph.edges()) {
                int from = indexOf(graph, edge.from());
                int to = indexOf(graph, edge.to());
                int common = choice.applyAsInt(aligned.get(from), aligned.get(to));
                if (edge.partitioning() == Partitioning.FORWARD
                        && !aligned.get(from).equals(aligned.get(to))) {
                    aligned.set(from, common);
                    aligned.set(to, common);
                    changed = true;
                }
            }
        }
        return List.copyOf(aligned);
    }

    /** Whether each vertex lies within its bounds. */
    public static boolean isWithinBounds(JobGraph graph, List<Integer> parallelism) {
        return !isBelowMinimum(graph, parallelism) && !isAboveMaximum(graph, parallelism);
    }

    /** Whether a vertex has less than its minimum, which was raised since. */
    public static boolean isBelowMinimum(JobGraph graph, List<Integer> parallelism) {
        for (int vertex = 0; vertex < graph.vertices().size(); vertex++) {
            if (parallelism.get(vertex) < graph.vertices().get(vertex).minimum()) {
                return true;
            }
        }
        return false;
    }

    /** Whether a vertex has more than its maximum, which was lowered since. */
    public static boolean isAboveMaximum(JobGraph graph, List<Integer> parallelism) {
        for (int vertex = 0; vertex < graph.vertices().size(); vertex++) {
            if (parallelism.get(vertex) > graph.vertices().get(vertex).maximum()) {
                return true;
            }
        }
        return false;
    }

    public static int indexOf(JobGraph graph, String vertex) {
        for (int index = 0; index < graph.vertices().size(); index++) {
            if (graph.vertices().get(index).name().equals(vertex)) {
                return index;
            }
        }
        throw new IllegalArgumentException("job " + graph.id() + " has no vertex '" + vertex + "'");
    }
}
