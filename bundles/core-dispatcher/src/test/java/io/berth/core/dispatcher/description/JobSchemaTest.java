package io.berth.core.dispatcher.description;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import io.berth.core.dispatcher.bundle.OfferedOperator;
import io.berth.core.dispatcher.bundle.StoredBundle;
import io.berth.core.dispatcher.description.DescriptionParser.ParseOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The schema in docs and the parser accept and refuse the same descriptions. */
class JobSchemaTest {

    private static final Path DOCS = Path.of("../../docs");
    private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
    private static final Pattern PATHS = Pattern.compile("file:\\S+\\.jar");

    private static JsonNode schemaText() throws IOException {
        return new ObjectMapper().readTree(DOCS.resolve("job.schema.json").toFile());
    }

    private static JsonSchema schema() throws IOException {
        return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(schemaText());
    }

    static Stream<Path> examples() throws IOException {
        List<Path> examples;
        try (Stream<Path> files = Files.list(DOCS.resolve("examples"))) {
            examples = files.filter(file -> file.toString().matches(".*\\.(yaml|json)"))
                    .filter(file -> !file.endsWith("package.json"))
                    .sorted()
                    .toList();
        }
        assertThat(examples).hasSizeGreaterThanOrEqualTo(2);
        return examples.stream();
    }

    /** A catalog with every operator that an example names. */
    private static JobCatalog knowing(JsonNode description) {
        List<OfferedOperator> operators = new ArrayList<>();
        description.path("vertices").forEach(vertex -> {
            String name = vertex.path("operator").asText();
            if (!name.isEmpty()) {
                operators.add(new OfferedOperator(
                        name,
                        name.equals("word-count"),
                        1,
                        List.of(),
                        vertex.path("runtime").asText("dataflow")));
            }
        });
        JobCatalog.BUILT_IN.forEach(builtIn -> operators.remove(builtIn));
        return new JobCatalog() {
            @Override
            public Optional<StoredBundle> bundle(String sha256) {
                return Optional.of(new StoredBundle(
                        new io.berth.core.api.BundleRef(sha256, 1),
                        "example",
                        "1.0.0",
                        operators.stream().distinct().toList()));
            }

            @Override
            public InstalledPolicies policies() {
                return ReactiveOnly.INSTANCE;
            }
        };
    }

    @ParameterizedTest
    @MethodSource("examples")
    void acceptExamples(Path example) throws IOException {
        String text = Files.readString(example);
        JsonNode description = YAML.readTree(text);

        assertThat(schema().validate(description)).isEmpty();

        ParseOutcome outcome = DescriptionParser.parse(
                PATHS.matcher(text).replaceAll(DescriptionParserTest.HASH), knowing(description));
        assertThat(outcome.problems()).isEmpty();
    }

    @Test
    void knowTheSameFields() throws IOException {
        JsonNode schema = schemaText();

        assertThat(names(schema.path("properties"))).containsExactlyInAnyOrderElementsOf(DescriptionParser.JOB_FIELDS);
        JsonNode parts = schema.path("definitions");
        assertThat(names(parts.path("vertex").path("properties")))
                .containsExactlyInAnyOrderElementsOf(DescriptionParser.VERTEX_FIELDS);
        assertThat(names(parts.path("parallelism").path("properties")))
                .containsExactlyInAnyOrderElementsOf(DescriptionParser.PARALLELISM_FIELDS);
        assertThat(names(parts.path("edge").path("properties")))
                .containsExactlyInAnyOrderElementsOf(DescriptionParser.EDGE_FIELDS);
        assertThat(names(parts.path("group").path("properties")))
                .containsExactlyInAnyOrderElementsOf(DescriptionParser.GROUP_FIELDS);
        assertThat(names(parts.path("constraints").path("properties")))
                .containsExactlyInAnyOrderElementsOf(ConstraintsParser.FIELDS);
        assertThat(names(parts.path("rule").path("properties")))
                .containsExactlyInAnyOrderElementsOf(ConstraintsParser.RULE_FIELDS);
        assertThat(names(parts.path("preference").path("properties")))
                .containsExactlyInAnyOrderElementsOf(ConstraintsParser.PREFERENCE_FIELDS);
        assertThat(names(parts.path("toleration").path("properties")))
                .containsExactlyInAnyOrderElementsOf(ConstraintsParser.TOLERATION_FIELDS);
        assertThat(names(parts.path("spread").path("properties")))
                .containsExactlyInAnyOrderElementsOf(ConstraintsParser.SPREAD_FIELDS);
    }

    private static List<String> names(JsonNode properties) {
        List<String> names = new ArrayList<>();
        for (Iterator<String> fields = properties.fieldNames(); fields.hasNext(); ) {
            names.add(fields.next());
        }
        return names;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{vertices: [{name: a, operator: file-source}]}",
                "{name: j}",
                "{name: j, vertices: []}",
                "{name: 7, vertices: [{name: a, operator: file-source}]}",
                "{name: a b, vertices: [{name: a, operator: file-source}]}",
                "{name: j, wrong: 1, vertices: [{name: a, operator: file-source}]}",
                "{name: j, priority: 1001, vertices: [{name: a, operator: file-source}]}",
                "{name: j, priority: '5', vertices: [{name: a, operator: file-source}]}",
                "{name: j, labels: [a], vertices: [{name: a, operator: file-source}]}",
                "{name: j, labels: {a: {b: c}}, vertices: [{name: a, operator: file-source}]}",
                "{name: j, policies: {matching: spread}, vertices: [{name: a, operator: file-source}]}",
                "{name: j, bundles: [xyz], vertices: [{name: a, operator: file-source}]}",
                "{name: j, vertices: [{name: a}]}",
                "{name: j, vertices: [{operator: file-source}]}",
                "{name: j, vertices: [{name: a, operator: file-source, parallelism: 0}]}",
                "{name: j, vertices: [{name: a, operator: file-source, parallelism: {}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, parallelism: {maximum: 1}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, maxParallelism: 40000}]}",
                "{name: j, vertices: [{name: a, operator: file-source}, {name: b, operator: file-sink}],"
                        + " edges: [{from: a, to: b}]}",
                "{name: j, vertices: [{name: a, operator: file-source}, {name: b, operator: file-sink}],"
                        + " edges: [{from: a, to: b, partitioning: hash, exchange: bloking}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, cpu: 1}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, cpu: 1, heap: 5x}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, cpu: 1, heap: 5m, extended: {gpu: 0}}]}",
                "{name: j, policies: {scaling: {pause: 1}}, vertices: [{name: a, operator: file-source}]}",
                "{name: j, policies: {scaling: {name: reactive, pause: [1]}},"
                        + " vertices: [{name: a, operator: file-source}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, heap: 5m, constraints: {require: [{label: a, in: b}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {require: [{label: a}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {require: [{label: a, in: b, exists: true}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {require: [{label: a, greater: x}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {require: [{label: a, exists: false}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {require: [{label: a, in: []}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {prefer: [{label: a, in: b, weight: 0}]}}]}",
                "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g}],"
                        + " slotSharingGroups: [{name: g, constraints: {tolerate: [{value: b}]}}]}"
            })
    void refuseTheSame(String description) throws IOException {
        assertThat(schema().validate(YAML.readTree(description))).isNotEmpty();
        assertThat(DescriptionParser.parse(description, DescriptionParserTest.CATALOG)
                        .problems())
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"512m", "1 GiB", "7", "3KB", "0.5", "99999t", "m", "-1"})
    void readSizesAlike(String size) throws IOException {
        String description = "{name: j, vertices: [{name: a, operator: file-source, slotSharingGroup: g,"
                + " configuration: {path: /t}}], slotSharingGroups: [{name: g, cpu: 1, heap: " + size + "}]}";
        boolean accepted = DescriptionParser.parse(description, DescriptionParserTest.CATALOG)
                .draft()
                .isPresent();

        // A schema cannot know the size of a text with a unit.
        if (!size.equals("99999t")) {
            assertThat(schema().validate(YAML.readTree(description)).isEmpty()).isEqualTo(accepted);
        }
        assertThat(accepted).isEqualTo(List.of("512m", "1 GiB", "7", "3KB").contains(size));
    }
}
