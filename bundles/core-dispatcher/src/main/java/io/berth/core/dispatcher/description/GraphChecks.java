package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.description.DescriptionParser.EdgeAt;
import io.berth.core.dispatcher.description.DescriptionParser.VertexAt;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Checks the graph of vertices and edges: a job is a directed graph without cycles. */
final class GraphChecks {

    private final Map<String, VertexAt> byName = new LinkedHashMap<>();
    private final Map<String, List<String>> outgoing = new LinkedHashMap<>();
    private final Map<String, Integer> incoming = new LinkedHashMap<>();
    private final List<VertexAt> vertices;
    private final List<EdgeAt> edges;
    private final int tasksMax;
    private final List<Problem> problems;

    GraphChecks(List<VertexAt> vertices, List<EdgeAt> edges, int tasksMax, List<Problem> problems) {
        this.vertices = vertices;
        this.edges = edges;
        this.tasksMax = tasksMax;
        this.problems = problems;
    }

    void check() {
        for (VertexAt at : vertices) {
            String name = at.vertex().name();
            if (name.isEmpty()) {
                continue;
            }
            VertexAt first = byName.putIfAbsent(name, at);
            if (first != null) {
                problems.add(new Problem(at.path() + ".name", "'" + name + "', like " + first.path(), "a unique name"));
            }
            outgoing.putIfAbsent(name, new ArrayList<>());
            incoming.putIfAbsent(name, 0);
        }
        Set<String> pairs = new HashSet<>();
        for (EdgeAt at : edges) {
            checkEdge(at, pairs);
        }
        checkCycles();
        checkIsolated();
        checkTasks();
    }

    /** The vertices in topological order, otherwise in the order of the description. */
    List<JobVertex> topologicalOrder() {
        List<JobVertex> order = new ArrayList<>();
        Map<String, Integer> open = new LinkedHashMap<>(incoming);
        Deque<String> ready = new ArrayDeque<>();
        open.forEach((name, count) -> {
            if (count == 0) {
                ready.add(name);
            }
        });
        while (!ready.isEmpty()) {
            String name = ready.poll();
            order.add(Objects.requireNonNull(byName.get(name)).vertex());
            for (String next : Objects.requireNonNull(outgoing.get(name))) {
                if (open.merge(next, -1, Integer::sum) == 0) {
                    ready.add(next);
                }
            }
        }
        return order;
    }

    private void checkEdge(EdgeAt at, Set<String> pairs) {
        JobEdge edge = at.edge();
        boolean fromKnown = checkEnd(at.path() + ".from", edge.from());
        boolean toKnown = checkEnd(at.path() + ".to", edge.to());
        if (!fromKnown || !toKnown) {
            return;
        }
        if (edge.from().equals(edge.to())) {
            problems.add(new Problem(at.path(), "an edge from '" + edge.from() + "' to itself", "two vertices"));
            return;
        }
        if (!pairs.add(edge.from() + " " + edge.output() + " -> " + edge.to() + " " + edge.input())) {
            problems.add(new Problem(
                    at.path(),
                    "a second edge from '" + edge.from() + "' to '" + edge.to() + "'",
                    "one edge per pair, or another output or input"));
            return;
        }
        for (String end : List.of(edge.from(), edge.to())) {
            JobVertex vertex = Objects.requireNonNull(byName.get(end)).vertex();
            if (!vertex.isDataflow()) {
                problems.add(new Problem(
                        at.path(),
                        "an edge " + (end.equals(edge.to()) ? "to '" : "from '") + end + "', whose runtime is "
                                + vertex.runtime(),
                        "vertices of the runtime " + JobVertex.DATAFLOW + ": only these exchange records"));
                return;
            }
        }
        Objects.requireNonNull(outgoing.get(edge.from())).add(edge.to());
        incoming.merge(edge.to(), 1, Integer::sum);
        VertexAt from = Objects.requireNonNull(byName.get(edge.from()));
        VertexAt to = Objects.requireNonNull(byName.get(edge.to()));
        if (edge.partitioning() == Partitioning.FORWARD && edge.isBlocking()) {
            problems.add(new Problem(
                    at.path() + ".partitioning",
                    "forward from '" + edge.from() + "' to '" + edge.to() + "' on a blocking edge",
                    "rebalance, hash or broadcast: the parallelism of a consumer is decided after its producer ended"));
        } else if (edge.partitioning() == Partitioning.FORWARD
                && from.boundsKnown()
                && to.boundsKnown()
                && !bounds(from.vertex()).equals(bounds(to.vertex()))) {
            problems.add(new Problem(
                    at.path() + ".partitioning",
                    "forward from '" + edge.from() + "' (parallelism " + bounds(from.vertex()) + ") to '" + edge.to()
                            + "' (parallelism " + bounds(to.vertex()) + ")",
                    "the same min, desired and max at both ends, or rebalance"));
        }
    }

    /**
     * The records of a keyed operator must reach the subtask that owns their key, at each parallelism: by hash, or by
     * forward from a vertex whose records all arrive that way.
     */
    void checkKeyed(Set<String> keyedOperators) {
        Map<String, Boolean> visited = new HashMap<>();
        for (EdgeAt at : edges) {
            JobEdge edge = at.edge();
            VertexAt to = byName.get(edge.to());
            if (to != null && keyedOperators.contains(to.vertex().operator()) && !isByKey(edge, visited)) {
                problems.add(new Problem(
                        at.path() + ".partitioning",
                        edge.partitioning().name().toLowerCase(Locale.ROOT) + " from '" + edge.from() + "' to '"
                                + edge.to() + "', whose operator " + to.vertex().operator() + " is keyed",
                        "hash, which sends each record to the subtask that owns its key"
                                + (edge.partitioning() == Partitioning.FORWARD
                                        ? ", or forward from a vertex to which all records come by hash"
                                        : "")));
            }
        }
    }

    /** @param visited whether all records of a vertex arrive by key, for the vertices that were visited */
    private boolean isByKey(JobEdge edge, Map<String, Boolean> visited) {
        if (edge.partitioning() != Partitioning.FORWARD) {
            return edge.partitioning() == Partitioning.HASH;
        }
        Boolean known = visited.putIfAbsent(edge.from(), false);
        if (known != null) {
            return known;
        }
        List<JobEdge> inputs = edges.stream()
                .map(EdgeAt::edge)
                .filter(input -> input.to().equals(edge.from()))
                .toList();
        boolean byKey = !inputs.isEmpty() && inputs.stream().allMatch(input -> isByKey(input, visited));
        visited.put(edge.from(), byKey);
        return byKey;
    }

    private boolean checkEnd(String path, String name) {
        if (byName.containsKey(name)) {
            return true;
        }
        String hint = NearestName.of(name, byName.keySet())
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
        problems.add(new Problem(path, "'" + name + "', which is not a vertex", "the name of a vertex" + hint));
        return false;
    }

    private static String bounds(JobVertex vertex) {
        return vertex.minimum() + ":" + vertex.desired() + ":" + vertex.maximum();
    }

    private void checkCycles() {
        Set<String> ordered = new HashSet<>();
        topologicalOrder().forEach(vertex -> ordered.add(vertex.name()));
        if (ordered.size() == byName.size()) {
            return;
        }
        // Each remaining vertex is on a cycle or comes after one, so walking backward finds a vertex twice.
        Map<String, String> before = new LinkedHashMap<>();
        outgoing.forEach((from, targets) -> {
            if (!ordered.contains(from)) {
                targets.forEach(to -> before.putIfAbsent(to, from));
            }
        });
        String walker = byName.keySet().stream()
                .filter(name -> !ordered.contains(name))
                .findFirst()
                .orElseThrow();
        Set<String> seen = new HashSet<>();
        while (seen.add(walker)) {
            walker = Objects.requireNonNull(before.get(walker));
        }
        Deque<String> cycle = new ArrayDeque<>();
        cycle.addFirst(walker);
        String name = Objects.requireNonNull(before.get(walker));
        while (!name.equals(walker)) {
            cycle.addFirst(name);
            name = Objects.requireNonNull(before.get(name));
        }
        cycle.addFirst(walker);
        problems.add(new Problem(
                "edges", "a cycle " + String.join(" -> ", cycle), "no cycles: records flow from sources to sinks"));
        if (incoming.values().stream().noneMatch(count -> count == 0)) {
            problems.add(new Problem("vertices", "without a source", "at least one vertex without incoming edges"));
        }
    }

    private void checkTasks() {
        long tasks = vertices.stream()
                .filter(VertexAt::boundsKnown)
                .mapToLong(at -> at.vertex().maximum())
                .sum();
        if (tasks > tasksMax) {
            problems.add(new Problem(
                    "vertices",
                    "a parallelism of " + tasks + " in total over all vertices",
                    "at most " + tasksMax + ", tasks.max of the Dispatcher: lower the max of some, or divide the job"));
        }
    }

    private void checkIsolated() {
        Map<String, VertexAt> exchanging = new LinkedHashMap<>(byName);
        exchanging.values().removeIf(at -> !at.vertex().isDataflow());
        if (exchanging.size() < 2) {
            return;
        }
        exchanging.forEach((name, at) -> {
            boolean mentioned = edges.stream()
                    .anyMatch(edge ->
                            edge.edge().from().equals(name) || edge.edge().to().equals(name));
            if (!mentioned) {
                problems.add(new Problem(
                        at.path(), "'" + name + "', which no edge connects", "vertices that an edge connects"));
            }
        });
    }
}
