package io.berth.core.dispatcher.description;

import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.description.DescriptionParser.EdgeAt;
import io.berth.core.dispatcher.description.DescriptionParser.VertexAt;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks where edges begin and end: outputs and inputs that operators have, and what sources and sinks need. */
final class EdgeEnds {

    private final List<VertexAt> vertices;
    private final List<EdgeAt> edges;
    private final List<Problem> problems;
    private final Map<String, OfferedOperator> operators = new TreeMap<>();
    private final Map<String, VertexAt> byName = new TreeMap<>();

    /** @param offered all operators of the job; of several with one name, which are refused elsewhere, the first counts */
    EdgeEnds(List<VertexAt> vertices, List<EdgeAt> edges, List<OfferedOperator> offered, List<Problem> problems) {
        this.vertices = vertices;
        this.edges = edges;
        this.problems = problems;
        offered.forEach(operator -> operators.putIfAbsent(operator.name(), operator));
        vertices.forEach(at -> byName.putIfAbsent(at.vertex().name(), at));
    }

    void check() {
        edges.forEach(at -> {
            checkInput(at);
            checkOutput(at);
        });
        vertices.forEach(this::checkVertex);
    }

    private Optional<OfferedOperator> operatorOf(String vertex) {
        return Optional.ofNullable(byName.get(vertex))
                .map(at -> operators.get(at.vertex().operator()));
    }

    private void checkInput(EdgeAt at) {
        JobEdge edge = at.edge();
        operatorOf(edge.to())
                .filter(operator -> edge.input() > operator.inputs())
                .ifPresent(operator -> problems.add(new Problem(
                        at.path() + ".input",
                        edge.input() + " of '" + edge.to() + "', whose operator " + operator.name() + " has one input",
                        "1, or an operator whose @Operator has inputs = 2")));
    }

    private void checkOutput(EdgeAt at) {
        JobEdge edge = at.edge();
        operatorOf(edge.from())
                .filter(operator ->
                        !edge.output().isEmpty() && !operator.sideOutputs().contains(edge.output()))
                .ifPresent(operator -> problems.add(new Problem(
                        at.path() + ".output",
                        "'" + edge.output() + "', which is no side output of operator " + operator.name() + " of '"
                                + edge.from() + "'",
                        operator.sideOutputs().isEmpty()
                                ? "nothing: the operator has no side outputs"
                                : NearestName.of(edge.output(), operator.sideOutputs())
                                                .map(near -> "did you mean '" + near + "'? ")
                                                .orElse("")
                                        + "one of " + String.join(", ", operator.sideOutputs()))));
    }

    private void checkVertex(VertexAt at) {
        String name = at.vertex().name();
        String operator = at.vertex().operator();
        long in = edges.stream().filter(edge -> edge.edge().to().equals(name)).count();
        if (BuiltInOperators.isSource(operator) && in > 0) {
            problems.add(new Problem(
                    at.path(), "a " + operator + " with an edge to it", "a source has outgoing edges only"));
        }
        if (BuiltInOperators.isSink(operator)) {
            if (edges.stream().anyMatch(edge -> edge.edge().from().equals(name))) {
                problems.add(new Problem(
                        at.path(), "a " + operator + " with an edge from it", "a sink has incoming edges only"));
            }
            if (in == 0) {
                problems.add(new Problem(
                        at.path(), "a " + operator + " without a source", "a sink needs at least one incoming edge"));
            }
        }
        int inputs = operatorOf(name).map(OfferedOperator::inputs).orElse(1);
        for (int input = 1; inputs == 2 && input <= inputs; input++) {
            int wanted = input;
            if (edges.stream()
                    .noneMatch(
                            edge -> edge.edge().to().equals(name) && edge.edge().input() == wanted)) {
                problems.add(new Problem(
                        at.path(),
                        "'" + name + "' without an edge to its input " + input,
                        "at least one edge to each input: operator " + operator + " has two"));
            }
        }
    }
}
