package io.berth.core.scheduler.job;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.scheduler.job.JobUnit.BlockingEdge;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Divides a job into units (FLIP-119, pipelined regions, by vertex): vertices that pipelined edges connect, and units
 * that depend on each other are one. The cost is linear. For one use.
 */
final class UnitSearch {

    private final JobGraph job;
    private final int[] from;
    private final int[] to;
    /** For each vertex, one of its part; the one of the part itself points to itself. */
    private final int[] parents;

    UnitSearch(JobGraph job) {
        this.job = job;
        Map<String, Integer> indexes = new HashMap<>();
        for (JobVertex vertex : job.vertices()) {
            indexes.put(vertex.name(), indexes.size());
        }
        int edges = job.edges().size();
        from = new int[edges];
        to = new int[edges];
        parents = new int[indexes.size()];
        Arrays.setAll(parents, vertex -> vertex);
        for (int number = 0; number < edges; number++) {
            JobEdge edge = job.edges().get(number);
            from[number] = Objects.requireNonNull(indexes.get(edge.from()));
            to[number] = Objects.requireNonNull(indexes.get(edge.to()));
        }
    }

    List<JobUnit> units() {
        for (int number = 0; number < from.length; number++) {
            if (!job.edges().get(number).isBlocking()) {
                join(from[number], to[number]);
            }
        }
        List<List<Integer>> order = order();
        order.forEach(cycle -> cycle.forEach(part -> join(cycle.get(0), part)));
        return order.stream().map(cycle -> unit(root(cycle.get(0)))).toList();
    }

    private int root(int vertex) {
        int at = vertex;
        while (parents[at] != at) {
            parents[at] = parents[parents[at]];
            at = parents[at];
        }
        return at;
    }

    private void join(int one, int other) {
        int root = root(one);
        int otherRoot = root(other);
        parents[Math.max(root, otherRoot)] = Math.min(root, otherRoot);
    }

    /**
     * The parts in topological order; those that depend on each other are one entry. By Kosaraju: a search along the
     * edges orders the parts by their ends, a second one against the edges finds what is strongly connected.
     */
    private List<List<Integer>> order() {
        Map<Integer, List<Integer>> next = new HashMap<>();
        Map<Integer, List<Integer>> previous = new HashMap<>();
        for (int number = 0; number < from.length; number++) {
            int producer = root(from[number]);
            int consumer = root(to[number]);
            if (producer != consumer) {
                next.computeIfAbsent(producer, any -> new ArrayList<>()).add(consumer);
                previous.computeIfAbsent(consumer, any -> new ArrayList<>()).add(producer);
            }
        }
        List<Integer> ended = new ArrayList<>();
        boolean[] seen = new boolean[parents.length];
        // Backward, so that parts that do not depend on each other stay in the order of the job.
        for (int vertex = parents.length - 1; vertex >= 0; vertex--) {
            if (root(vertex) == vertex) {
                search(vertex, next, seen, ended);
            }
        }
        List<List<Integer>> cycles = new ArrayList<>();
        boolean[] taken = new boolean[parents.length];
        for (int index = ended.size() - 1; index >= 0; index--) {
            List<Integer> cycle = new ArrayList<>();
            search(ended.get(index), previous, taken, cycle);
            if (!cycle.isEmpty()) {
                cycles.add(cycle);
            }
        }
        return cycles;
    }

    /** Adds all that is reached and was not seen, each after all that is reached from it. */
    private static void search(int start, Map<Integer, List<Integer>> along, boolean[] seen, List<Integer> ended) {
        if (seen[start]) {
            return;
        }
        Deque<int[]> path = new ArrayDeque<>();
        seen[start] = true;
        path.push(new int[] {start, 0});
        while (!path.isEmpty()) {
            int[] at = path.element();
            List<Integer> reached = along.getOrDefault(at[0], List.of());
            if (at[1] == reached.size()) {
                ended.add(path.pop()[0]);
            } else {
                int other = reached.get(at[1]++);
                if (!seen[other]) {
                    seen[other] = true;
                    path.push(new int[] {other, 0});
                }
            }
        }
    }

    private JobUnit unit(int part) {
        List<JobVertex> vertices = new ArrayList<>();
        for (int vertex = 0; vertex < parents.length; vertex++) {
            if (root(vertex) == part) {
                vertices.add(job.vertices().get(vertex));
            }
        }
        List<JobEdge> edges = new ArrayList<>();
        List<Integer> numbers = new ArrayList<>();
        List<BlockingEdge> inputs = new ArrayList<>();
        List<BlockingEdge> outputs = new ArrayList<>();
        for (int number = 0; number < from.length; number++) {
            JobEdge edge = job.edges().get(number);
            boolean out = root(from[number]) == part;
            boolean in = root(to[number]) == part;
            if (out && in) {
                edges.add(new JobEdge(
                        edge.from(), edge.to(), edge.partitioning(), Exchange.PIPELINED, edge.input(), edge.output()));
                numbers.add(number);
            } else if (out || in) {
                (in ? inputs : outputs)
                        .add(new BlockingEdge(
                                number,
                                edge,
                                job.vertices().get(from[number]),
                                job.vertices().get(to[number])));
            }
        }
        Set<String> groups = vertices.stream().map(JobVertex::group).collect(Collectors.toSet());
        JobGraph graph = new JobGraph(
                job.id(),
                job.name(),
                job.submissionIndex(),
                job.attributes(),
                job.policies(),
                job.bundles(),
                vertices,
                edges,
                job.groups().stream()
                        .filter(group -> groups.contains(group.name()))
                        .toList(),
                job.revision());
        return new JobUnit(vertices.get(0).name(), graph, numbers, inputs, outputs);
    }
}
