package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph.Exchange;
import io.berth.core.api.job.JobGraph.JobEdge;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Inputs and outputs that edges name, and settings of built-in operators. */
class EdgeEndsTest {

    private static final JobCatalog CATALOG = new JobCatalog() {
        @Override
        public Optional<StoredBundle> bundle(String sha256) {
            return Optional.of(new StoredBundle(
                    new BundleRef(sha256, 1),
                    "joins",
                    "1.0.0",
                    List.of(
                            new OfferedOperator("join", true, 2, List.of("late", "unmatched")),
                            new OfferedOperator("map", false))));
        }

        @Override
        public InstalledPolicies policies() {
            return ReactiveOnly.INSTANCE;
        }
    };

    private static final String GOOD = """
            name: j
            bundles: [%s]
            vertices:
              - {name: orders, operator: csv-source, configuration: {path: /t}}
              - {name: prices, operator: json-source, configuration: {path: /t}}
              - {name: join, operator: join, parallelism: 2}
              - {name: out, operator: csv-sink, configuration: {path: /o}}
              - {name: rest, operator: print-sink}
            edges:
              - {from: orders, to: join, partitioning: hash}
              - {from: prices, to: join, partitioning: hash, input: 2}
              - {from: join, to: out, partitioning: rebalance}
              - {from: join, to: rest, partitioning: rebalance, output: late}
              - {from: join, to: rest, partitioning: rebalance, output: unmatched}
            """.formatted("ab".repeat(32));

    @Test
    void edgesNameInputsAndOutputs() {
        ParseOutcome outcome = DescriptionParser.parse(GOOD, CATALOG);
        assertThat(outcome.problems()).isEmpty();
        assertThat(outcome.draft().orElseThrow().edges())
                .contains(
                        new JobEdge("orders", "join", Partitioning.HASH, Exchange.PIPELINED, 1, ""),
                        new JobEdge("prices", "join", Partitioning.HASH, Exchange.PIPELINED, 2, ""),
                        new JobEdge("join", "rest", Partitioning.REBALANCE, Exchange.PIPELINED, 1, "late"),
                        new JobEdge("join", "rest", Partitioning.REBALANCE, Exchange.PIPELINED, 1, "unmatched"));
    }

    private static Arguments setting(String operator, String bad, String field, String given, String allowed) {
        String good = operator + ", configuration: {path: /t";
        return Arguments.of(good, good + ", " + bad, "vertices[0].configuration." + field, given, allowed);
    }

    private static Arguments generator(String bad, String field, String given, String allowed) {
        return Arguments.of(
                "json-source, configuration: {path: /t",
                "generator, configuration: {" + bad,
                "vertices[1].configuration." + field,
                given,
                allowed);
    }

    private static Arguments socket(String settings, String more, String field, String given, String allowed) {
        return Arguments.of(
                "json-source, configuration: {path: /t}",
                "socket-source, configuration: {host: h, port: 1, " + settings + "}" + more,
                "vertices[1]." + field,
                given,
                allowed);
    }

    @Test
    void settingsThatFitTogetherAreTaken() {
        String csv = "csv-source, configuration: {path: /t";
        for (String delimiter : List.of("' '", "\"\\t\"", "tab", ";")) {
            assertThat(DescriptionParser.parse(
                                    GOOD.replace(
                                            csv,
                                            csv
                                                    + ", header: false, multiline: false, split.bytes: 100, columns: 'a, b',"
                                                    + " types: 'b = long', delimiter: " + delimiter),
                                    CATALOG)
                            .problems())
                    .as(delimiter)
                    .isEmpty();
        }
        for (String other : List.of(
                "generator, configuration: {values: random, minimum: -5, maximum: -4, seed: 3}",
                "generator, configuration: {start: -1, rate: 5}",
                "socket-source, configuration: {host: h, port: 1, retry.min.ms: 20, retry.max.ms: 20}")) {
            assertThat(DescriptionParser.parse(GOOD.replace("json-source, configuration: {path: /t}", other), CATALOG)
                            .problems())
                    .as(other)
                    .isEmpty();
        }
    }

    static Stream<Arguments> bad() {
        return Stream.of(
                Arguments.of("input: 2", "input: 3", "edges[1].input", "3", "from 1 to 2"),
                Arguments.of(
                        "to: out, partitioning: rebalance",
                        "to: out, input: 2, partitioning: rebalance",
                        "edges[2].input",
                        "2 of 'out', whose operator csv-sink has one input",
                        "inputs = 2"),
                Arguments.of(
                        "input: 2", "input: 1", "vertices[2]", "without an edge to its input 2", "at least one edge"),
                Arguments.of(
                        "output: late", "output: lat", "edges[3].output", "'lat', which is no side output", "'late'"),
                Arguments.of(
                        "from: orders, to: join",
                        "from: orders, output: bad, to: join",
                        "edges[0].output",
                        "'bad', which is no side output of operator csv-source of 'orders'",
                        "no side outputs"),
                Arguments.of("output: unmatched", "output: late", "edges[4]", "a second edge", "another output"),
                Arguments.of(
                        "to: join, partitioning: hash, input: 2",
                        "to: join, partitioning: rebalance, input: 2",
                        "edges[1].partitioning",
                        "is keyed",
                        "hash"),
                Arguments.of(
                        "csv-source, configuration: {path: /t}",
                        "csv-source, configuration: {path: /t, headers: true}",
                        "vertices[0].configuration.headers",
                        "not a setting of csv-source",
                        "did you mean 'header'?"),
                Arguments.of(
                        "json-source, configuration: {path: /t}",
                        "json-source, configuration: {path: /t, errors: ignore}",
                        "vertices[1].configuration.errors",
                        "'ignore'",
                        "fail, skip"),
                Arguments.of(
                        "csv-sink, configuration: {path: /o}",
                        "csv-sink, configuration: {path: /o, roll.ms: 5}",
                        "vertices[3].configuration.roll.ms",
                        "'5'",
                        "from 100 to 86400000"),
                Arguments.of(
                        "operator: print-sink}",
                        "operator: csv-sink, configuration: {path: /o}}",
                        "vertices[4].configuration.file",
                        "which vertex 'out' also writes to",
                        "no other sink"),
                Arguments.of(
                        "operator: json-source, configuration: {path: /t}",
                        "operator: socket-source, configuration: {host: h}",
                        "vertices[1].configuration.port",
                        "missing",
                        "1 to 65535"),
                setting("csv-source", "header: false", "columns", "missing", "because header is false"),
                setting("csv-source", "split.bytes: 100", "split.bytes", "'100'", "only with multiline: false"),
                setting("csv-source", "columns: 'a,b,a'", "columns", "'a,b,a'", "each once"),
                setting("csv-source", "types: 'a=int'", "types", "'a=int'", "string, long, double"),
                setting("csv-source", "types: 'a=long,a=long'", "types", "'a=long,a=long'", "each column once"),
                setting("csv-source", "columns: a, types: 'b=long'", "types", "'b=long'", "types of the columns a"),
                setting("csv-source", "delimiter: '::'", "delimiter", "'::'", "one ASCII character"),
                generator("values: random, start: 1", "start", "'1'", "only with values: sequence"),
                generator("seed: 1", "seed", "'1'", "only with values: random"),
                generator("maximum: 1", "maximum", "'1'", "only with values: random"),
                generator("values: random, minimum: 5, maximum: 4", "maximum", "'4'", "at least minimum, 5"),
                generator("values: random, maximum: -1", "maximum", "'-1'", "at least minimum, 0"),
                socket(
                        "retry.min.ms: 50, retry.max.ms: 20",
                        "",
                        "configuration.retry.max.ms",
                        "'20'",
                        "at least retry"),
                socket("retry.max.ms: 20", "", "configuration.retry.max.ms", "'20'", "at least retry.min.ms, 100"),
                socket("retries: 1", ", parallelism: 3", "parallelism", "up to 3", "1: one task reads"),
                Arguments.of(
                        "{from: join, to: out, ",
                        "{from: out, to: rest, ",
                        "vertices[3]",
                        "a csv-sink with an edge from it",
                        "incoming edges only"));
    }

    @ParameterizedTest
    @MethodSource("bad")
    void whatDoesNotFitIsRefusedByName(String good, String bad, String field, String given, String allowed) {
        assertThat(GOOD).contains(good);
        ParseOutcome outcome = DescriptionParser.parse(GOOD.replace(good, bad), CATALOG);
        assertThat(outcome.problems()).anySatisfy(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.given()).contains(given);
            assertThat(problem.allowed()).contains(allowed);
        });
    }
}
