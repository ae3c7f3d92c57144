package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.berth.core.api.BundleRef;
import io.berth.core.api.job.JobGraph;
import io.berth.core.api.job.JobGraph.JobVertex;
import io.berth.core.api.job.JobGraph.Partitioning;
import io.berth.core.api.job.PolicyChoice;
import io.berth.core.api.job.Problem;
import io.berth.core.api.job.SchedulingAttributes;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import io.berth.spi.JobId;
import io.berth.spi.PolicyKind;
import io.berth.spi.ResourceProfile;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

public class DescriptionParserTest {

    static final String HASH = "ab".repeat(32);

    public static final JobCatalog CATALOG = new JobCatalog() {
        @Override
        public Optional<StoredBundle> bundle(String sha256) {
            return sha256.equals(HASH)
                    ? Optional.of(new StoredBundle(
                            new BundleRef(HASH, 100),
                            "words",
                            "1.0.0",
                            List.of(new OfferedOperator("word-split", false), new OfferedOperator("word-count", true))))
                    : Optional.empty();
        }

        @Override
        public InstalledPolicies policies() {
            return ReactiveOnly.INSTANCE;
        }
    };

    public static final String GOOD = """
            name: word-count
            queue: root.etl
            priority: 5
            labels: {team: search, cost: 3}
            policies: {scaling: reactive}
            bundles: [%s]
            vertices:
              - {name: count, operator: word-count, parallelism: {min: 1, max: 4}, slotSharingGroup: small}
              - name: read
                operator: file-source
                parallelism: {min: 1, desired: 3, max: 4}
                configuration: {path: /tmp/a.txt, split.bytes: 4096}
              - {name: split, operator: word-split, parallelism: {min: 1, desired: 3, max: 4}, maxParallelism: 256}
              - {name: write, operator: file-sink, configuration: {path: /tmp/out}}
            edges:
              - {from: read, to: split, partitioning: forward}
              - {from: split, to: count, partitioning: hash, exchange: pipelined}
              - {from: count, to: write, partitioning: rebalance}
            slotSharingGroups:
              - {name: small, cpu: 0.5, heap: 512m, managed: 1g, extended: {gpu: 1}}
            """.formatted(HASH);

    /** Records that arrived by hash stay with their subtask on forward edges. */
    private static final String KEYED_CHAIN = """
            name: j
            bundles: [%s]
            vertices:
              - {name: read, operator: file-source, configuration: {path: /t}}
              - {name: split, operator: word-split}
              - {name: count, operator: word-count}
            edges:
              - {from: read, to: split, partitioning: hash}
              - {from: split, to: count, partitioning: forward}
            """.formatted(HASH);

    @Test
    void acceptsAKeyedOperatorAfterForwardFromAVertexWhoseRecordsComeByHash() {
        assertThat(parse(KEYED_CHAIN).problems()).isEmpty();
    }

    private static ParseOutcome parse(String text) {
        return DescriptionParser.parse(text, CATALOG);
    }

    @Test
    void readsWhoSubmitsAJobAndHowLongItShouldRun() {
        String text = GOOD.replace("queue: root.etl", "queue: closed\nsubmitter: ann\nexpectedRuntime: 1.5h");
        SchedulingAttributes attributes = parse(text)
                .draft()
                .orElseThrow()
                .toGraph(new JobId("word-count-1"), 7)
                .attributes();
        assertThat(attributes.submitter()).isEqualTo("ann");
        assertThat(attributes.expectedRuntimeMillis()).isEqualTo(5_400_000);
    }

    @Test
    void refusesAQueueThatDoesNotTakeTheJob() {
        String text = GOOD.replace("queue: root.etl", "queue: closed\nsubmitter: bob");
        assertThat(parse(text).problems())
                .containsExactly(new Problem("queue", "'closed'", "a queue that takes jobs of submitter 'bob'"));
    }

    @Test
    void refusesADurationWithoutAUnit() {
        for (String wrong : List.of("90", "0s", "4000d", "1 week", "-1s", "1e3s")) {
            assertThat(parse(GOOD.replace("priority: 5", "expectedRuntime: '" + wrong + "'"))
                            .problems())
                    .as(wrong)
                    .extracting(Problem::field, Problem::given)
                    .containsExactly(tuple("expectedRuntime", "'" + wrong + "'"));
        }
    }

    @Test
    void readsAllFieldsAndFillsInDefaults() {
        ParseOutcome outcome = parse(GOOD);

        assertThat(outcome.problems()).isEmpty();
        JobGraph job = outcome.draft().orElseThrow().toGraph(new JobId("word-count-1"), 7);
        assertThat(job.name()).isEqualTo("word-count");
        assertThat(job.submissionIndex()).isEqualTo(7);
        assertThat(job.attributes().queue()).isEqualTo("root.etl");
        assertThat(job.attributes().pool()).isEqualTo("default");
        assertThat(job.attributes().priority()).isEqualTo(5);
        assertThat(job.attributes().labels()).containsEntry("team", "search").containsEntry("cost", "3");
        assertThat(job.policies())
                .containsExactly(java.util.Map.entry(PolicyKind.SCALING, PolicyChoice.of("reactive")));
        assertThat(job.bundles()).containsExactly(new BundleRef(HASH, 100));
        assertThat(job.vertices()).extracting(JobVertex::name).containsExactly("read", "split", "count", "write");
        assertThat(job.vertex("read"))
                .isEqualTo(new JobVertex(
                        "read",
                        "file-source",
                        1,
                        3,
                        4,
                        128,
                        "default",
                        new TreeMap<>(java.util.Map.of("path", "/tmp/a.txt", "split.bytes", "4096"))));
        assertThat(job.vertex("count").desired()).isEqualTo(4);
        assertThat(job.vertex("split").maxParallelism()).isEqualTo(256);
        assertThat(job.vertex("write").maximum()).isEqualTo(1);
        assertThat(job.edges())
                .extracting(JobGraph.JobEdge::partitioning)
                .containsExactly(Partitioning.FORWARD, Partitioning.HASH, Partitioning.REBALANCE);
        assertThat(job.groups())
                .containsExactly(
                        new JobGraph.SlotSharingGroup(
                                "small",
                                new ResourceProfile(
                                        500, 512L << 20, 0, 1L << 30, new TreeMap<>(java.util.Map.of("gpu", 1L)))),
                        new JobGraph.SlotSharingGroup("default", ResourceProfile.UNKNOWN));
    }

    @Test
    void readsJson() {
        String json = """
                {"name": "j",\t"priority": -3, "vertices": [
                \t{"name": "a", "operator": "file-source", "configuration": {"path": "\\/tmp\\/\\ud83d\\ude00"}},
                \t{"name": "b", "operator": "file-sink", "parallelism": 1, "configuration": {"path": "/o"}}],
                 "edges": [{"from": "a", "to": "b", "partitioning": "broadcast"}]}
                """;

        ParseOutcome outcome = parse(json);

        assertThat(outcome.problems()).isEmpty();
        assertThat(outcome.draft().orElseThrow().vertices().get(0).configuration())
                .containsEntry("path", "/tmp/\uD83D\uDE00");
    }

    @Test
    void readsYamlThatBeginsLikeJson() {
        ParseOutcome outcome =
                parse("{name: j, vertices: [{name: a, operator: file-source, configuration: {path: /t}}]}");

        assertThat(outcome.problems()).isEmpty();
    }

    @Test
    void theDefaultNumberOfKeyGroupsGrowsWithTheParallelism() {
        ParseOutcome outcome = parse(
                "{name: j, vertices: [{name: a, operator: file-source, parallelism: 300, configuration: {path: /t}}]}");

        assertThat(outcome.draft().orElseThrow().vertices().get(0).maxParallelism())
                .isEqualTo(600);
    }

    @Test
    void reportsAllProblemsAtOnce() {
        ParseOutcome outcome = parse("""
                priority: high
                vertices:
                  - {name: a, operator: file-source, parallelism: 0}
                  - {name: a, operator: file-sink, maxParallelism: 99999}
                """);

        assertThat(outcome.draft()).isEmpty();
        assertThat(outcome.problems())
                .extracting(Problem::field)
                .contains(
                        "name",
                        "priority",
                        "vertices[0].parallelism",
                        "vertices[1].name",
                        "vertices[1].maxParallelism");
    }

    static Arguments bad(String title, String text, String field, String... words) {
        return Arguments.of(title, text, field, List.of(words));
    }

    private static String changed(String what, String by) {
        assertThat(GOOD).contains(what);
        return GOOD.replace(what, by);
    }

    static Stream<Arguments> badDescriptions() {
        String job = "name: j\nvertices:\n";
        return Stream.of(
                bad("empty", "  \n", "", "empty"),
                bad("only a comment", "# nothing\n", "", "empty"),
                bad("not YAML", "name: [", "", "not readable", "line 1"),
                bad("broken JSON", "{\"name\": \"x\", \"vertices\": [}", "", "not readable", "line 1, column"),
                bad("a list", "- a\n", "", "a list of 1 item", "mapping"),
                bad("two documents", "name: a\n---\nname: b\n", "", "more than one document"),
                bad("too long", "name: " + "x".repeat(1 << 20), "", "1048582 characters", "1048576"),
                bad("too deep", "name: " + "[".repeat(40) + "]".repeat(40), "name" + "[0]".repeat(16), "at most 16"),
                bad("alias", "name: &n x\nqueue: *n\n", "name", "anchor", "no anchors"),
                bad("tag", "name: !!javax.script.ScriptEngineManager [x]\n", "name", "tag", "no tags"),
                bad("duplicate key", changed("priority: 5", "priority: 5\npriority: 6"), "priority", "more than once"),
                bad(
                        "duplicate key in JSON",
                        "{\"name\":\"a\",\"name\":\"b\",\"vertices\":[]}",
                        "name",
                        "more than once"),
                bad("unknown field", changed("priority: 5", "priorty: 5"), "priorty", "did you mean 'priority'?"),
                bad(
                        "unknown field of a vertex",
                        changed("maxParallelism: 256", "maxParalelism: 256"),
                        "vertices[2].maxParalelism",
                        "did you mean 'maxParallelism'?"),
                bad("no name", changed("name: word-count\n", ""), "name", "missing"),
                bad(
                        "name with characters that are not allowed",
                        changed("name: word-count\n", "name: 'a b'\n"),
                        "name",
                        "'a b'",
                        "1 to 64 letters"),
                bad("name that is a number", changed("name: word-count\n", "name: 12\n"), "name", "12", "quotes"),
                bad(
                        "priority out of range",
                        changed("priority: 5", "priority: 1001"),
                        "priority",
                        "1001",
                        "-1000 to 1000"),
                bad("priority in quotes", changed("priority: 5", "priority: '5'"), "priority", "'5'", "whole number"),
                bad(
                        "labels not a mapping",
                        changed("labels: {team: search, cost: 3}", "labels: [a]"),
                        "labels",
                        "a list of 1 item"),
                bad(
                        "unknown scaling policy",
                        changed("scaling: reactive", "scaling: magic"),
                        "policies.scaling",
                        "'magic'",
                        "reactive"),
                bad("bad filter", changed("scaling: reactive", "scaling: '(name=x'"), "policies.scaling", "'(name=x'"),
                bad(
                        "matching of a job",
                        changed("{scaling: reactive}", "{matching: spread}"),
                        "policies.matching",
                        "spread",
                        "per pool"),
                bad("bundle by path", changed(HASH, "target/words.jar"), "bundles[0]", "target/words.jar", "SHA-256"),
                bad("bundle as a mapping", changed(HASH, "{file: x.jar}"), "bundles[0]", "", "written file:x.jar"),
                bad("bundle path for the shell", changed(HASH, "x.jar"), "bundles[0]", "", "berth:job-submit -b x.jar"),
                bad("bundle not stored", changed(HASH, "cd".repeat(32)), "bundles[0]", "PUT /v1/bundles/cdcd"),
                bad("bundle twice", changed(HASH, HASH + ", " + HASH), "bundles[1]", "words 1.0.0 again"),
                bad("no vertices", "name: j\n", "vertices", "missing"),
                bad("vertices empty", "name: j\nvertices: []\n", "vertices", "a list of 0 items", "1 to 1000"),
                bad(
                        "too many vertices",
                        job + "  - {name: a, operator: file-source}\n".repeat(1001),
                        "vertices",
                        "1001 items",
                        "1 to 1000"),
                bad("vertex without name", job + "  - {operator: file-source}\n", "vertices[0].name", "missing"),
                bad("vertex without operator", job + "  - {name: a}\n", "vertices[0].operator", "missing"),
                bad(
                        "unknown operator",
                        changed("operator: word-split", "operator: word-spilt"),
                        "vertices[2].operator",
                        "'word-spilt'",
                        "did you mean 'word-split'?"),
                bad(
                        "duplicate vertex",
                        changed("name: write", "name: read"),
                        "vertices[3].name",
                        "'read'",
                        "vertices[1]"),
                bad(
                        "parallelism zero",
                        job + "  - {name: a, operator: file-source, parallelism: 0}\n",
                        "vertices[0].parallelism",
                        "0",
                        "1 to 32768"),
                bad(
                        "parallelism too large",
                        job + "  - {name: a, operator: file-source, parallelism: {max: 32769}}\n",
                        "vertices[0].parallelism.max",
                        "32769",
                        "1 to 32768"),
                bad(
                        "parallelism a list",
                        job + "  - {name: a, operator: file-source, parallelism: [1]}\n",
                        "vertices[0].parallelism",
                        "a list of 1 item"),
                bad(
                        "parallelism a fraction",
                        job + "  - {name: a, operator: file-source, parallelism: 1.5}\n",
                        "vertices[0].parallelism",
                        "1.5"),
                bad(
                        "parallelism empty",
                        job + "  - {name: a, operator: file-source, parallelism: {}}\n",
                        "vertices[0].parallelism",
                        "at least one of"),
                bad(
                        "minimum above desired",
                        job + "  - {name: a, operator: file-source, parallelism: {min: 3, desired: 2}}\n",
                        "vertices[0].parallelism.min",
                        "3",
                        "at most desired, 2"),
                bad(
                        "desired above maximum",
                        job + "  - {name: a, operator: file-source, parallelism: {desired: 9, max: 2}}\n",
                        "vertices[0].parallelism.desired",
                        "9",
                        "at most max, 2"),
                bad(
                        "maximum above key groups",
                        job + "  - {name: a, operator: file-source, parallelism: 9, maxParallelism: 8}\n",
                        "vertices[0].maxParallelism",
                        "8",
                        "at least the largest parallelism, 9"),
                bad(
                        "undefined group",
                        changed("slotSharingGroup: small", "slotSharingGroup: smal"),
                        "vertices[0].slotSharingGroup",
                        "'smal'",
                        "small"),
                bad(
                        "unused group",
                        changed(", slotSharingGroup: small", ""),
                        "slotSharingGroups[0]",
                        "'small'",
                        "no vertex uses"),
                bad(
                        "duplicate group",
                        changed("slotSharingGroups:\n", "slotSharingGroups:\n  - {name: small, cpu: 1, heap: 1g}\n"),
                        "slotSharingGroups[1].name",
                        "'small' again"),
                bad(
                        "keyed after rebalance",
                        changed("partitioning: hash", "partitioning: rebalance"),
                        "edges[1].partitioning",
                        "rebalance from 'split' to 'count', whose operator word-count is keyed",
                        "hash"),
                bad(
                        "keyed after broadcast",
                        changed("partitioning: hash", "partitioning: broadcast"),
                        "edges[1].partitioning",
                        "broadcast from 'split'",
                        "hash"),
                bad(
                        "keyed after forward from a source",
                        KEYED_CHAIN.replace(
                                "{from: read, to: split, partitioning: hash}",
                                "{from: read, to: split, partitioning: forward}"),
                        "edges[1].partitioning",
                        "forward from 'split' to 'count'",
                        "forward from a vertex to which all records come by hash"),
                bad("group without cpu", changed("cpu: 0.5, ", ""), "slotSharingGroups[0].cpu", "missing"),
                bad("group without heap", changed("heap: 512m, ", ""), "slotSharingGroups[0].heap", "missing"),
                bad("cpu too fine", changed("cpu: 0.5", "cpu: 0.0005"), "slotSharingGroups[0].cpu", "0.0005"),
                bad(
                        "size of unknown unit",
                        changed("heap: 512m", "heap: 512x"),
                        "slotSharingGroups[0].heap",
                        "'512x'",
                        "512m"),
                bad("size too large", changed("heap: 512m", "heap: 99999t"), "slotSharingGroups[0].heap", "1024t"),
                bad("extended below one", changed("gpu: 1", "gpu: 0"), "slotSharingGroups[0].extended.gpu", "0"),
                bad(
                        "configuration nested",
                        changed("split.bytes: 4096", "split.bytes: {a: 1}"),
                        "vertices[1].configuration.split.bytes",
                        "mapping of 1 field"),
                bad(
                        "edge to nowhere",
                        changed("to: split,", "to: spilt,"),
                        "edges[0].to",
                        "'spilt'",
                        "did you mean 'split'?"),
                bad("edge from nowhere", changed("from: count", "from: nobody"), "edges[2].from", "'nobody'"),
                bad(
                        "edge without partitioning",
                        changed(", partitioning: forward", ""),
                        "edges[0].partitioning",
                        "missing",
                        "forward, rebalance, hash, broadcast"),
                bad(
                        "unknown partitioning",
                        changed("partitioning: hash", "partitioning: hahs"),
                        "edges[1].partitioning",
                        "'hahs'",
                        "did you mean 'hash'?"),
                bad(
                        "unknown exchange",
                        changed("exchange: pipelined", "exchange: bloking"),
                        "edges[1].exchange",
                        "'bloking'",
                        "did you mean 'blocking'?"),
                bad(
                        "blocking forward edge",
                        changed("partitioning: hash, exchange: pipelined", "partitioning: forward, exchange: blocking"),
                        "edges[1].partitioning",
                        "on a blocking edge",
                        "rebalance, hash or broadcast"),
                bad("self edge", changed("from: split, to: count", "from: split, to: split"), "edges[1]", "itself"),
                bad(
                        "edge twice",
                        changed("edges:\n", "edges:\n  - {from: read, to: split, partitioning: hash}\n"),
                        "edges[1]",
                        "second edge from 'read' to 'split'"),
                bad(
                        "forward of unequal bounds",
                        changed("desired: 3, max: 4}, maxParallelism", "desired: 2, max: 4}, maxParallelism"),
                        "edges[0].partitioning",
                        "1:3:4",
                        "1:2:4"),
                bad(
                        "isolated vertex",
                        changed(
                                "  - {name: write, operator: file-sink, configuration: {path: /tmp/out}}",
                                "  - {name: write, operator: file-sink, configuration: {path: /tmp/out}}\n  - {name: lone, operator: file-source}"),
                        "vertices[4]",
                        "'lone'",
                        "no edge"),
                bad(
                        "sink without source",
                        job + "  - {name: w, operator: file-sink}\n",
                        "vertices[0]",
                        "file-sink",
                        "incoming edge"),
                bad(
                        "source without path",
                        changed("path: /tmp/a.txt, ", ""),
                        "vertices[1].configuration.path",
                        "missing",
                        "to read"),
                bad(
                        "sink without path",
                        changed("path: /tmp/out", "path: ''"),
                        "vertices[3].configuration.path",
                        "missing",
                        "directory"),
                bad(
                        "another pool",
                        changed("queue: root.etl", "pool: gold"),
                        "pool",
                        "'gold'",
                        "a pool that is configured: gpu, default"),
                bad(
                        "unknown setting of a source",
                        changed("split.bytes", "split.byte"),
                        "vertices[1].configuration.split.byte",
                        "not a setting of file-source",
                        "did you mean 'split.bytes'?"),
                bad(
                        "setting out of bounds",
                        changed("split.bytes: 4096", "split.bytes: 0"),
                        "vertices[1].configuration.split.bytes",
                        "'0'",
                        "1 to 1099511627776"),
                bad(
                        "sink to a file elsewhere",
                        changed("path: /tmp/out", "path: /tmp/out, file: ../x"),
                        "vertices[3].configuration.file",
                        "'../x'",
                        "without a directory"),
                bad(
                        "source with input",
                        changed("from: count, to: write", "from: count, to: read"),
                        "vertices[1]",
                        "file-source with an edge to it"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badDescriptions")
    void refusesAndNames(String title, String text, String field, List<String> words) {
        ParseOutcome outcome = parse(text);

        assertThat(outcome.draft()).isEmpty();
        assertThat(outcome.problems()).anySatisfy(problem -> {
            assertThat(problem.field()).isEqualTo(field);
            assertThat(problem.given() + " | " + problem.allowed()).contains(words);
        });
    }

    private static String withSecondSink(String configuration) {
        return changed(
                        "edges:\n",
                        "  - {name: again, operator: file-sink, configuration: " + configuration + "}\nedges:\n"
                                + "  - {from: count, to: again, partitioning: rebalance}\n")
                .replace("path: /tmp/out}", "path: /tmp/out}, parallelism: {min: 1, max: 4}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{path: /tmp/out}",
                "{path: /tmp/out/}",
                "{path: /tmp/x/.././/out, file: part.txt}",
                "{path: /tmp/out, file: part-0.txt}",
                "{path: /tmp/out, file: part-3.txt}",
            })
    void refusesTwoSinksThatWriteTheSameFile(String configuration) {
        assertThat(parse(withSecondSink(configuration)).problems()).anySatisfy(problem -> {
            assertThat(problem.field()).isEqualTo("vertices[4].configuration.file");
            assertThat(problem.given()).contains("in /tmp/out, which vertex 'write' also writes to");
            assertThat(problem.allowed()).contains("a file or path that no other");
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{path: /tmp/out2}",
                "{path: /tmp/out, file: other.txt}",
                "{path: /tmp/out, file: part-4.txt}",
                "{path: /tmp/out, file: part-0}",
                "{path: /tmp/out, file: part-0-0.txt}",
            })
    void acceptsTwoSinksThatWriteDifferentFilesOfOneDirectory(String configuration) {
        assertThat(parse(withSecondSink(configuration)).problems()).isEmpty();
    }

    @Test
    void answersWithABoundedNumberOfProblems() {
        StringBuilder text = new StringBuilder("name: a\nvertices: [{name: a, operator: file-source}]\n");
        for (int field = 0; field < 5_000; field++) {
            text.append("field").append(field).append(": 1\n");
        }
        ParseOutcome outcome = parse(text.toString());

        assertThat(outcome.problems()).hasSize(DescriptionParser.MAX_PROBLEMS + 1);
        assertThat(outcome.problems().get(DescriptionParser.MAX_PROBLEMS).toString())
                .contains("more problems");
    }

    @Test
    void refusesTooManyTasks() {
        String vertex = "  - {name: v%d, operator: file-source, parallelism: {max: %d}, configuration: {path: /in}}\n";
        String text = "name: a\nvertices:\n";
        for (int number = 0; number < 3; number++) {
            text += vertex.formatted(number, 32_768);
        }
        assertThat(parse(text).problems()).noneMatch(problem -> problem.field().equals("vertices"));
        assertThat(parse(text + vertex.formatted(3, 1_697)).problems())
                .filteredOn(problem -> problem.field().equals("vertices"))
                .singleElement()
                .satisfies(problem -> assertThat(problem.toString())
                        .contains("a parallelism of 100001 in total over all vertices", "at most 100000, tasks.max"));
    }

    @Test
    void refusesTooLongFieldNames() {
        String name = "n".repeat(1_000);
        for (String text : List.of("{\"" + name + "\": [0, 0]}", "\"" + name + "\": [0, 0]")) {
            ParseOutcome outcome = parse(text);

            assertThat(outcome.problems()).hasSize(1);
            assertThat(outcome.problems().get(0).toString()).contains("a field name of 1000 characters");
        }
    }

    @Test
    void refusesTextThatExceedsTheLimitsOfTheJsonReader() {
        for (String text : List.of("{\"" + "n".repeat(400_000) + "\": 1}", "{\"a\": " + "1".repeat(100_000) + "}")) {
            ParseOutcome outcome = parse(text);

            assertThat(outcome.draft()).isEmpty();
            assertThat(outcome.problems().get(0).toString()).hasSizeLessThan(1_000);
        }
    }

    @Test
    void namesTheCycle() {
        ParseOutcome outcome = parse("""
                name: j
                bundles: [%s]
                vertices:
                  - {name: a, operator: file-source, configuration: {path: /t}}
                  - {name: b, operator: word-split}
                  - {name: c, operator: word-count}
                  - {name: d, operator: file-sink, configuration: {path: /t}}
                edges:
                  - {from: a, to: b, partitioning: hash}
                  - {from: b, to: c, partitioning: hash}
                  - {from: c, to: b, partitioning: hash}
                  - {from: c, to: d, partitioning: hash}
                """.formatted(HASH));

        assertThat(outcome.problems()).singleElement().satisfies(problem -> {
            assertThat(problem.field()).isEqualTo("edges");
            assertThat(problem.given()).isIn("a cycle b -> c -> b", "a cycle c -> b -> c");
        });
    }

    @Test
    void reportsAJobWithoutASource() {
        ParseOutcome outcome = parse("""
                name: j
                bundles: [%s]
                vertices:
                  - {name: b, operator: word-split}
                  - {name: c, operator: word-count}
                edges:
                  - {from: b, to: c, partitioning: hash}
                  - {from: c, to: b, partitioning: hash}
                """.formatted(HASH));

        assertThat(outcome.problems())
                .extracting(Problem::given)
                .anySatisfy(given -> assertThat(given).contains("without a source"));
    }

    @Test
    void makesAnIdFromAnyName() {
        assertThat(parse(GOOD.replace("name: word-count\n", "name: A.B__c-\n"))
                        .draft()
                        .orElseThrow()
                        .slug())
                .isEqualTo("a-b-c");
    }
}
