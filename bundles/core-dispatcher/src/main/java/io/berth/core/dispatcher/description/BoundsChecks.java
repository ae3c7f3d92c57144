package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.ParallelismBounds;
import io.berth.core.api.job.ParallelismBounds.VertexBounds;
import io.berth.core.api.job.Problem;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks bounds of the parallelism that users set while a job runs, by the rules of a job description. */
public final class BoundsChecks {

    /**
     * The bounds in the order of the graph, or what is wrong with them.
     *
     * @param vertices empty when there are problems
     */
    public record Checked(List<VertexBounds> vertices, List<Problem> problems) {}

    /** Characters of an unknown name that a message repeats. */
    private static final int MAX_NAME = 100;
    /** Names that a message lists. */
    private static final int MAX_NAMES = 20;
    /** Problems that an answer has at most. */
    private static final int MAX_PROBLEMS = 100;

    private final JobGraph graph;
    private final int tasksMax;
    private final Map<String, VertexBounds> given = new LinkedHashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    private BoundsChecks(JobGraph graph, int tasksMax) {
        this.graph = graph;
        this.tasksMax = tasksMax;
    }

    /**
     * @param tasksMax how many tasks the job may have at the maximum of its parallelism; it may keep as many as it has
     * @param bounds of all vertices, in any order
     */
    public static Checked check(JobGraph graph, int tasksMax, List<VertexBounds> bounds) {
        BoundsChecks checks = new BoundsChecks(graph, tasksMax);
        checks.read(bounds);
        if (checks.problems.isEmpty()) {
            graph.vertices().forEach(checks::checkVertex);
        }
        if (checks.problems.isEmpty()) {
            graph.edges().forEach(checks::checkEdge);
            checks.checkTasks();
        }
        if (!checks.problems.isEmpty()) {
            return new Checked(
                    List.of(), checks.problems.stream().limit(MAX_PROBLEMS).toList());
        }
        List<VertexBounds> all = graph.vertices().stream().map(checks::of).toList();
        List<Problem> together = BuiltInOperators.checkTogether(
                graph.with(new ParallelismBounds(graph.revision(), all)).vertices().stream()
                        .map(vertex -> new DescriptionParser.VertexAt(path(vertex.name()), vertex, true))
                        .toList());
        return together.isEmpty() ? new Checked(all, List.of()) : new Checked(List.of(), together);
    }

    private VertexBounds of(JobVertex vertex) {
        return Objects.requireNonNull(given.get(vertex.name()));
    }

    private static String path(String vertex) {
        return "vertices." + vertex;
    }

    private void read(List<VertexBounds> bounds) {
        Set<String> names =
                graph.vertices().stream().map(JobVertex::name).collect(Collectors.toCollection(LinkedHashSet::new));
        if (bounds.size() > names.size()) {
            problems.add(new Problem(
                    "vertices",
                    bounds.size() + " vertices",
                    "each of the " + names.size() + " vertices of the job, once"));
            return;
        }
        for (VertexBounds vertex : bounds) {
            if (!names.contains(vertex.vertex())) {
                String name = vertex.vertex().length() <= MAX_NAME
                        ? vertex.vertex()
                        : vertex.vertex().substring(0, MAX_NAME) + "…";
                Optional<String> near = NearestName.of(name, names);
                problems.add(new Problem(
                        path(name),
                        "not a vertex of the job",
                        near.map(meant -> "did you mean '" + meant + "'?")
                                .orElseGet(() -> "allowed are " + allowed(names))));
            } else if (given.putIfAbsent(vertex.vertex(), vertex) != null) {
                problems.add(new Problem(path(vertex.vertex()), "given twice", "once is allowed"));
            }
        }
        for (String name : names) {
            if (!given.containsKey(name)) {
                problems.add(new Problem(path(name), "missing", "the bounds of each vertex are needed"));
            }
        }
    }

    private static String allowed(Set<String> names) {
        String some = names.stream().limit(MAX_NAMES).collect(Collectors.joining(", "));
        return names.size() > MAX_NAMES ? some + " and " + (names.size() - MAX_NAMES) + " more" : some;
    }

    private void checkVertex(JobVertex vertex) {
        VertexBounds bounds = of(vertex);
        String path = path(vertex.name());
        if (bounds.minimum() < 1) {
            problems.add(new Problem(path + ".minimum", Integer.toString(bounds.minimum()), "at least 1"));
        }
        if (bounds.minimum() > bounds.desired()) {
            problems.add(new Problem(
                    path + ".minimum", Integer.toString(bounds.minimum()), "at most desired, " + bounds.desired()));
        }
        if (bounds.desired() > bounds.maximum()) {
            problems.add(new Problem(
                    path + ".desired", Integer.toString(bounds.desired()), "at most maximum, " + bounds.maximum()));
        }
        if (bounds.maximum() > vertex.maxParallelism()) {
            problems.add(new Problem(
                    path + ".maximum",
                    Integer.toString(bounds.maximum()),
                    "at most " + vertex.maxParallelism()
                            + ", its maxParallelism, which is fixed for the life of the job"));
        }
    }

    private void checkEdge(JobEdge edge) {
        if (edge.partitioning() != Partitioning.FORWARD) {
            return;
        }
        VertexBounds from = of(graph.vertex(edge.from()));
        VertexBounds to = of(graph.vertex(edge.to()));
        if (!from.text().equals(to.text())) {
            problems.add(new Problem(
                    path(edge.to()),
                    to.text(),
                    from.text() + ", as '" + edge.from() + "' has, from which a forward edge leads to it"));
        }
    }

    private void checkTasks() {
        long tasks = tasks(given.values());
        long allowed = Math.max(tasksMax, tasks(graph.bounds().vertices()));
        if (tasks > allowed) {
            problems.add(new Problem(
                    "vertices",
                    "a parallelism of " + tasks + " in total over all vertices",
                    "at most " + allowed + ": lower the maximum of some"));
        }
    }

    private static long tasks(Collection<VertexBounds> bounds) {
        return bounds.stream().mapToLong(VertexBounds::maximum).sum();
    }
}
