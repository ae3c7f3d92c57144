package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatchingCommandTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int bench(String... arguments) {
        return Benchmarks.run(
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                arguments);
    }

    private JsonNode measured(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("matching", "--warm-ms", "0", "--runs", "3", "-o", "json"));
        arguments.addAll(List.of(more));

        assertThat(bench(arguments.toArray(String[]::new))).as(err.toString(StandardCharsets.UTF_8)).isZero();

        return new ObjectMapper().readTree(out.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void tellsWhatADecisionCost(String policy) throws IOException {
        JsonNode told = measured("--policy", policy, "--workers", "20", "--requests", "200", "--profiles", "3");

        assertThat(told.get("policy").asText()).isEqualTo(policy);
        assertThat(told.get("runs").asInt()).isEqualTo(3);
        assertThat(told.get("cpuNanosPerSlot").asDouble())
                .isPositive()
                .isBetween(told.get("cpuNanosPerSlotMin").asDouble(), told.get("cpuNanosPerSlotMax").asDouble());
        assertThat(told.get("bytesPerSlot").asDouble()).isPositive();
        assertThat(told.get("wallMillis").asDouble()).isNotNegative();
        assertThat(told.get("unplaced").asInt()).isZero();
        assertThat(told.get("lowerBound").asInt()).isEqualTo(17);
        assertThat(told.get("workersUsed").asInt()).isBetween(17, 20);
    }

    @Test
    void countsWhatDoesNotFit() throws IOException {
        JsonNode told = measured("--workers", "10", "--requests", "1000", "--profiles", "1", "--fill", "1.25");

        // 80 of the 100 that each of ten workers would have to hold.
        assertThat(told.get("unplaced").asInt()).isEqualTo(200);
        assertThat(told.get("workersUsed").asInt()).isEqualTo(10);
        assertThat(told.get("lowerBound").asInt()).isEqualTo(13);
    }

    @Test
    void leavesUnplacedWhatAWalkByProfileLeaves() throws IOException {
        JsonNode told = measured("--workers", "1000", "--requests", "100000", "--profiles", "20");

        // What others measured of a strategy that takes the profiles of a job one after the other, too.
        assertThat(told.get("unplaced").asInt()).isEqualTo(3_327);
    }

    @Test
    void writesATable() {
        assertThat(bench("matching", "--warm-ms", "0", "--runs", "1", "--workers", "2", "--requests", "3")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8).lines())
                .anyMatch(line -> line.matches("cpuNanosPerSlot +[0-9.]+"))
                .anyMatch(line -> line.matches("unplaced +0"));
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("warming up first-fit: 2 workers, 3 slots");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--policy|best|option --policy is 'best': allowed are first-fit, spread",
        "--workers|0|option --workers is '0': allowed is a whole number from 1 to 1000000",
        "--requests|-4|option --requests is '-4': allowed is a whole number from 1 to 10000000",
        "--profiles|641|option --profiles is '641': allowed is a whole number from 1 to 640",
        "--fill|0|option --fill is '0.0': allowed is a number from 0.01 to 100",
        "--runs|0|option --runs is '0': allowed is a whole number from 1 to 10000",
        "--warm-ms|-1|option --warm-ms is '-1': allowed is a whole number from 0 to 600000",
        "--seed|x|'--seed'",
        "--wrokers|5|--wrokers",
    })
    void refusesWhatIsNotAllowed(String option, String value, String message) {
        assertThat(bench("matching", option, value)).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains(message).contains("--help");
        assertThat(out.size()).isZero();
    }

    @Test
    void refusesToMeasureNothing() {
        assertThat(bench()).isEqualTo(2);

        assertThat(err.toString(StandardCharsets.UTF_8)).contains("matching");
    }

    @Test
    void tellsItsOptions() {
        assertThat(bench("matching", "--help")).isZero();

        assertThat(out.toString(StandardCharsets.UTF_8))
                .contains("--policy", "--workers", "--requests", "--profiles", "--seed", "--fill", "--runs", "table|json");
    }
}
