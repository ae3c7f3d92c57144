package io.berth.simulator.replay;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Whole real traces with both strategies. Slots are conserved at each step, otherwise the exit code differs. Runs only
 * with {@code -Pshared-data}; fails when a file is missing.
 */
@EnabledIfSystemProperty(named = "berth.shared.data", matches = ".+")
class SharedTracesTest {

    private static final Path CLUSTERS = Path.of("../../docs/clusters");
    private static final String KTH = "arrivals/swf/KTH-SP2-1996-2.1-cln.swf.gz";

    private final Path data = Path.of(System.getProperty("berth.shared.data"));

    private JsonNode replay(Path nodes, String jobs, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--nodes",
                nodes.toString(),
                "--jobs",
                data.resolve(jobs).toString(),
                "--policy",
                "first-fit,spread",
                "-o",
                "json"));
        arguments.addAll(List.of(more));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = ReplayCommand.simulate(
                arguments,
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
        assertThat(code).as(err.toString(StandardCharsets.UTF_8)).isZero();
        JsonNode json = new ObjectMapper().readTree(out.toString(StandardCharsets.UTF_8));
        assertThat(json.path("policies")).hasSize(2);
        return json;
    }

    private static void assertAllEnded(JsonNode json, int jobs) {
        assertThat(json.path("jobs").asInt()).isEqualTo(jobs);
        for (JsonNode policy : json.path("policies")) {
            assertThat(policy.path("ended").asInt() + policy.path("tooLarge").asInt())
                    .isEqualTo(jobs);
            assertThat(policy.path("waiting").asInt()).isZero();
        }
    }

    @Test
    void kth() throws IOException {
        JsonNode json = replay(CLUSTERS.resolve("kth-sp2.csv"), KTH);

        assertAllEnded(json, 27_992);
        assertThat(json.path("holes")
                        .path("jobs")
                        .path("job numbers missing in the log")
                        .asInt())
                .isEqualTo(484);
        for (JsonNode policy : json.path("policies")) {
            assertThat(policy.path("slots").asInt()).as("each processor once").isEqualTo(215_675);
            assertThat(policy.path("utilization").path("cpu").asDouble()).isBetween(0.68, 0.69);
        }
    }

    @Test
    void kthUnderTheOutagesOfLanl() throws IOException {
        JsonNode json = replay(
                CLUSTERS.resolve("kth-sp2.csv"),
                KTH,
                "--outages",
                data.resolve("failures/lanl/LA-UR-05-7318-failure-data-1996-2005.csv.xz")
                        .toString(),
                "--outages-system",
                "20");

        assertAllEnded(json, 27_992);
        assertThat(json.path("outages").asInt()).isEqualTo(966);
        for (JsonNode policy : json.path("policies")) {
            assertThat(policy.path("restarts").asInt()).isGreaterThan(100);
            assertThat(policy.path("slots").asInt()).isGreaterThan(215_675);
        }
    }

    @Test
    void curie() throws IOException {
        JsonNode json = replay(
                CLUSTERS.resolve("curie.csv"), "arrivals/swf/CEA-Curie-2011-2.1-cln-b1.swf.gz", "--slot-cpus", "16");

        assertAllEnded(json, 33_852);
        assertThat(json.path("holes")
                        .path("jobs")
                        .path("jobs left out: canceled before they started")
                        .asInt())
                .isEqualTo(2_612);
    }

    @Test
    void swim() throws IOException {
        JsonNode json = replay(CLUSTERS.resolve("swim.csv"), "arrivals/swim/FB-2009_samples_24_times_1hr_0.tsv");

        assertAllEnded(json, 5_894);
        assertThat(json.path("policies").get(0).path("workersUsedMean").asDouble())
                .as("first-fit fills workers")
                .isLessThan(json.path("policies").get(1).path("workersUsedMean").asDouble());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"cpu050", "cpu100", "cpu250", "default", "gpushare40", "gpushare100", "gpuspec10", "gpuspec33"})
    void openbWithItsTimes(String list) throws IOException {
        JsonNode json = openb(list);

        assertAllEnded(json, json.path("jobs").asInt());
        assertThat(json.path("jobs").asInt()).isGreaterThan(7_000);
    }

    @ParameterizedTest
    @ValueSource(strings = {"multigpu20", "multigpu50"})
    void openbWithoutTimes(String list) throws IOException {
        assertPacked(openb(list));
    }

    @Test
    void openbPacked() throws IOException {
        assertPacked(openb("default", "--pack"));
    }

    private JsonNode openb(String list, String... more) throws IOException {
        return replay(
                data.resolve("packing/openb/openb_node_list_all_node.csv"),
                "packing/openb/openb_pod_list_" + list + ".csv",
                more);
    }

    private static void assertPacked(JsonNode json) {
        for (JsonNode policy : json.path("policies")) {
            assertThat(policy.path("begun").asInt()
                            + policy.path("waiting").asInt()
                            + policy.path("tooLarge").asInt())
                    .isEqualTo(json.path("jobs").asInt());
            assertThat(policy.path("waiting").asInt()).isPositive();
            assertThat(policy.path("last").path("utilization").path("gpu").asDouble())
                    .isGreaterThan(0.8);
        }
    }
}
