package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.Problem;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Vertices that name a task runtime. */
class RuntimesOfVerticesTest {

    private static final JobCatalog CATALOG = new JobCatalog() {
        @Override
        public Optional<StoredBundle> bundle(String sha256) {
            return Optional.of(new StoredBundle(
                    new BundleRef(sha256, 100),
                    "tickers",
                    "1.0.0",
                    List.of(
                            new OfferedOperator("ticker", false, 1, List.of(), "service"),
                            new OfferedOperator("word-split", false))));
        }

        @Override
        public InstalledPolicies policies() {
            return ReactiveOnly.INSTANCE;
        }

        @Override
        public List<String> runtimes() {
            return Stream.concat(BUILT_IN_RUNTIMES.stream(), Stream.of("wasm")).toList();
        }
    };

    private static ParseOutcome parse(String vertices) {
        return DescriptionParser.parse(
                "name: j\nbundles: [" + "ab".repeat(32) + "]\nvertices:\n" + vertices.indent(2), CATALOG);
    }

    private static JobVertex vertex(String vertices) {
        ParseOutcome outcome = parse(vertices);
        assertThat(outcome.problems()).isEmpty();
        return outcome.draft().orElseThrow().vertices().get(0);
    }

    private static List<String> problems(String vertices) {
        return parse(vertices).problems().stream().map(Problem::toString).toList();
    }

    @Test
    void aVertexHasTheRuntimeDataflowByDefault() {
        JobVertex vertex = vertex("- {name: split, operator: word-split}");
        assertThat(vertex.runtime()).isEqualTo("dataflow");
        assertThat(vertex.hasRendezvous()).isFalse();
        assertThat(vertex("- {name: split, operator: word-split, runtime: dataflow}"))
                .isEqualTo(vertex);
    }

    @Test
    void aProcessNeedsNoOperator() {
        JobVertex vertex =
                vertex("- {name: train, runtime: process, parallelism: 3, configuration: {command: ./train}}");
        assertThat(vertex.runtime()).isEqualTo("process");
        assertThat(vertex.operator()).isEqualTo("process");
        assertThat(vertex.hasRendezvous()).isTrue();
        assertThat(vertex("- {name: t, runtime: process, configuration: {command: ./t, rendezvous: false}}")
                        .hasRendezvous())
                .isFalse();
    }

    @Test
    void aServiceIsAnOperatorOfABundle() {
        assertThat(vertex("- {name: tick, runtime: service, operator: ticker}").operator())
                .isEqualTo("ticker");
        assertThat(problems("- {name: tick, runtime: service}"))
                .singleElement()
                .asString()
                .startsWith("vertices[0].operator is missing");
        assertThat(problems("- {name: tick, runtime: service, operator: word-split}"))
                .containsExactly(
                        "vertices[0].operator is 'word-split', which is for the runtime dataflow: an operator of"
                                + " the runtime service, or runtime: dataflow");
        assertThat(problems("- {name: tick, operator: ticker}"))
                .containsExactly(
                        "vertices[0].operator is 'ticker', which is for the runtime service: an operator of the"
                                + " runtime dataflow, or runtime: service");
        assertThat(problems("- {name: tick, runtime: service, operator: tickr, configuration: {rendezvous: maybe}}"))
                .containsExactly(
                        "vertices[0].operator is 'tickr', which no bundle of the job offers: did you mean 'ticker'? one of"
                                + " ticker",
                        "vertices[0].configuration.rendezvous is 'maybe': true or false");
    }

    @Test
    void aRuntimeThatTheConfigurationNamesNeedsNoOperatorEither() {
        assertThat(vertex("- {name: w, runtime: wasm}").operator()).isEqualTo("wasm");
        assertThat(problems("- {name: w, runtime: wasm, operator: nothing}"))
                .singleElement()
                .asString()
                .startsWith("vertices[0].operator is 'nothing', which no bundle of the job offers");
    }

    @Test
    void anUnknownRuntimeIsRefusedAndTheNearestIsNamed() {
        assertThat(problems("- {name: train, runtime: proces, operator: word-split}"))
                .containsExactly("vertices[0].runtime is 'proces': did you mean 'process'? one of dataflow, process,"
                        + " service, wasm; task.runtimes of the Dispatcher names more");
    }

    @Test
    void settingsOfAProcessAreCheckedAtSubmission() {
        assertThat(problems("""
                - name: train
                  runtime: process
                  operator: word-split
                  configuration: {comand: ./train, stop.signal: KILL, rendezvous: 1}
                """))
                .containsExactly(
                        "vertices[0].operator is 'word-split': no operator with the runtime process: its configuration"
                                + " names a command or script",
                        "vertices[0].configuration.comand is not a setting of the runtime process: did you mean"
                                + " 'command'? known are command, script, directory, environment.NAME, health.command,"
                                + " health.interval.ms, health.timeout.ms, health.failures.max, stop.signal,"
                                + " stop.timeout.ms, exit.codes.permanent, rendezvous",
                        "vertices[0].configuration.command is missing: the program to run with its arguments, or the text"
                                + " of a script",
                        "vertices[0].configuration.rendezvous is '1': true or false",
                        "vertices[0].configuration.stop.signal is 'KILL': one of TERM, INT, HUP, QUIT, USR1, USR2");
    }

    @Test
    void noEdgeLeadsToAProcessOrFromIt() {
        String text = """
                - {name: read, operator: file-source, configuration: {path: /t}}
                - {name: train, runtime: process, configuration: {command: ./train}}
                """;
        assertThat(DescriptionParser.parse(
                                "name: j\nvertices:\n" + text.indent(2)
                                        + "edges:\n  - {from: read, to: train, partitioning: hash}\n",
                                CATALOG)
                        .problems())
                .extracting(Problem::toString)
                .containsExactly("edges[0] is an edge to 'train', whose runtime is process: vertices of the runtime"
                        + " dataflow: only these exchange records");
        assertThat(problems(text)).as("beside other vertices, without an edge").isEmpty();
    }
}
