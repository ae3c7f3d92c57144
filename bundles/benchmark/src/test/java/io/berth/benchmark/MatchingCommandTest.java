package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class MatchingCommandTest {

    private final CommandLineRun command = new CommandLineRun();

    private JsonNode measured(String... more) throws IOException {
        return command.json("matching --warm-ms 0 --runs 3 -o json", more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void tellsWhatADecisionCost(String policy) throws IOException {
        JsonNode result = measured(
                "--policy", policy, "--workers", "20", "--requests", "200", "--profiles", "3", "--fill", "0.7");

        assertThat(result.get("policy").asText()).isEqualTo(policy);
        assertThat(result.get("runs").asInt()).isEqualTo(3);
        assertThat(result.get("cpuNanosPerSlot").asDouble())
                .isPositive()
                .isBetween(
                        result.get("cpuNanosPerSlotMin").asDouble(),
                        result.get("cpuNanosPerSlotMax").asDouble());
        assertThat(result.get("bytesPerSlot").asDouble()).isPositive();
        assertThat(result.get("wallMillis").asDouble()).isNotNegative();
        assertThat(result.get("unplaced").asInt()).isZero();
        assertThat(result.get("lowerBound").asInt()).isEqualTo(14);
        assertThat(result.get("workersUsed").asInt()).isBetween(14, 20);
    }

    @Test
    void measuresTheStrategyOfABundle() throws IOException {
        Path bundle = Path.of("..", "matching-spread", "target", "berth-matching-spread.jar");
        JsonNode result =
                measured("--bundle", bundle.toString(), "--workers", "20", "--requests", "100", "--profiles", "1");

        assertThat(result.get("policy").asText()).isEqualTo("spread");
        assertThat(result.get("unplaced").asInt()).isZero();

        Path fifo = Path.of("..", "distribution-fifo", "target", "berth-distribution-fifo.jar");
        assertThat(command.run("matching", "--bundle", fifo.toString())).isEqualTo(2);
        assertThat(command.err())
                .contains("option --bundle is '" + fifo
                        + "': it has no matching strategy, only the distribution policy fifo");
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void slotsWithConstraintsFitAsTheyDoWithout(String policy) throws IOException {
        JsonNode result = measured(
                "--policy",
                policy,
                "--workers",
                "20",
                "--requests",
                "200",
                "--profiles",
                "3",
                "--fill",
                "0.7",
                "--constraints",
                "4");

        assertThat(result.get("constraints").asInt()).isEqualTo(4);
        assertThat(result.get("unplaced").asInt()).isZero();
        assertThat(result.get("workersUsed").asInt()).isBetween(14, 20);
    }

    @Test
    void countsWhatDoesNotFit() throws IOException {
        JsonNode result = measured("--workers", "10", "--requests", "1000", "--profiles", "1", "--fill", "1.25");

        // 80 of the 100 slots that each of ten workers would have to hold.
        assertThat(result.get("unplaced").asInt()).isEqualTo(200);
        assertThat(result.get("workersUsed").asInt()).isEqualTo(10);
        assertThat(result.get("lowerBound").asInt()).isEqualTo(13);
    }

    @Test
    void leavesTheSameSlotsUnplacedAsAScanByProfile() throws IOException {
        JsonNode result = measured("--workers", "1000", "--requests", "100000", "--profiles", "20");

        // An independent implementation of a strategy that handles the profiles of a job one after the other measured
        // the same.
        assertThat(result.get("unplaced").asInt()).isEqualTo(3_327);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void tellsWhatItCostsToFreeAndPlaceAgain(String policy) throws IOException {
        JsonNode result = measured(
                "--policy", policy, "--workers", "20", "--requests", "200", "--profiles", "3", "--events", "20000");

        assertThat(result.get("benchmark").asText()).isEqualTo("churn");
        assertThat(result.get("decisionsPerRun").asInt()).isEqualTo(5);
        assertThat(result.get("callsPerRun").asInt()).isEqualTo(5);
        for (String name : new String[] {
            "cpuMicrosPerDecision",
            "bytesPerDecision",
            "cpuNanosPerPair",
            "callCpuNanosPerPair",
            "harnessCpuNanosPerPair",
        }) {
            assertThat(result.get(name).asDouble()).as(name).isPositive();
        }
        assertThat(result.get("strategyCpuNanosPerPair").asDouble())
                .isCloseTo(
                        result.get("callCpuNanosPerPair").asDouble()
                                - result.get("harnessCpuNanosPerPair").asDouble(),
                        within(1.0));
        assertThat(result.get("unplaced").asInt()).isBetween(0, 20);
        assertThat(result.get("strategyUnplaced").asInt()).isBetween(0, 20);
    }

    @Test
    void writesATable() {
        assertThat(command.run("matching", "--warm-ms", "0", "--runs", "1", "--workers", "2", "--requests", "3"))
                .isZero();

        assertThat(command.out().lines())
                .anyMatch(line -> line.matches("cpuNanosPerSlot +[0-9.]+"))
                .anyMatch(line -> line.matches("unplaced +0"));
        assertThat(command.err()).contains("warming up first-fit: 2 workers, 3 slots");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy|best|option --policy has 'best': allowed matching strategies are first-fit, spread, pack, balanced, optimal, gale-shapley, rebalance",
                "--workers|0|option --workers is '0': allowed is a whole number from 1 to 1000000",
                "--requests|-4|option --requests is '-4': allowed is a whole number from 1 to 10000000",
                "--profiles|641|option --profiles is '641': allowed is a whole number from 1 to 640",
                "--fill|0|option --fill is '0.0': allowed is a number from 0.01 to 100",
                "--runs|0|option --runs is '0': allowed is a whole number from 1 to 10000",
                "--warm-ms|-1|option --warm-ms is '-1': allowed is a whole number from 0 to 600000",
                "--events|0|option --events is '0': allowed is a whole number from 1 to 100000",
                "--seed|x|'--seed'",
                "--wrokers|5|--wrokers",
            })
    void refusesWhatIsNotAllowed(String option, String value, String message) {
        assertThat(command.run("matching", option, value)).isEqualTo(2);

        assertThat(command.err()).contains(message).contains("--help");
        assertThat(command.out()).isEmpty();
    }

    @Test
    void rejectsAMeasurementOfNothing() {
        assertThat(command.run()).isEqualTo(2);

        assertThat(command.err()).contains("matching");
    }

    @Test
    void helpShowsItsOptions() {
        assertThat(command.run("matching", "--help")).isZero();

        assertThat(command.out())
                .contains(
                        "--policy",
                        "--workers",
                        "--requests",
                        "--profiles",
                        "--seed",
                        "--fill",
                        "--runs",
                        "table|json");
    }
}
