package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ResourceManagerCommandTest {

    private final CommandLineRun command = new CommandLineRun();

    private JsonNode measured(String... more) throws IOException {
        return command.json("resource-manager --warm-ms 0 --runs 2 --check-delay-ms 1 --freed 3 -o json", more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"first-fit", "spread"})
    void tellsWhatEachStepCost(String policy) throws IOException {
        JsonNode result = measured(
                "--policy", policy, "--workers", "20", "--requests", "200", "--profiles", "3", "--fill", "0.7");

        assertThat(result.get("policy").asText()).isEqualTo(policy);
        assertThat(result.get("runs").asInt()).isEqualTo(2);
        assertThat(result.get("unplaced").asInt()).isZero();
        for (String name : new String[] {
            "cpuNanosPerSlot",
            "bytesPerSlot",
            "cpuMillis",
            "wallMillis",
            "cpuNanosPerRegisteredWorker",
            "bytesPerRegisteredWorker",
            "cpuMicrosFreedToRequest",
            "wallMicrosFreedToRequest",
            "cpuMillisOfReturn",
            "wallMillisOfReturn",
            "heapUsedMebibytes"
        }) {
            assertThat(result.get(name).asDouble()).as(name).isPositive();
        }
    }

    @Test
    void afterARestartNoSlotIsRequestedAgain() throws IOException {
        JsonNode result = measured("--workers", "20", "--requests", "150", "--profiles", "3", "--jobs", "7");

        assertThat(result.get("slotsRequestedAfterReturn").asInt()).isZero();
    }

    @Test
    void freesNoMoreSlotsThanWorkersReported() throws IOException {
        JsonNode result = command.json(
                "resource-manager --warm-ms 0 --runs 1 --check-delay-ms 1 --freed 50 -o json --workers 10 --requests 20"
                        + " --profiles 1");

        assertThat(result.get("slotsFreed").asInt()).isBetween(1, 20);
    }

    @Test
    void waitsOnlyForSlotsThatCanBePlaced() throws IOException {
        JsonNode result = measured("--workers", "10", "--requests", "1000", "--profiles", "1", "--fill", "1.25");

        assertThat(result.get("unplaced").asInt()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy|best|option --policy has 'best': allowed matching strategies are first-fit, spread, pack, balanced, optimal, gale-shapley, rebalance",
                "--check-delay-ms|-1|option --check-delay-ms is '-1': allowed is a whole number from 0 to 60000",
                "--freed|-1|option --freed is '-1': allowed is a whole number from 0 to 1000000",
                "--jobs|0|option --jobs is '0': allowed is a whole number from 1 to 1000000",
            })
    void refusesWhatIsNotAllowed(String option, String value, String message) {
        assertThat(command.run("resource-manager", option, value)).isEqualTo(2);

        assertThat(command.err()).contains(message).contains("--help");
    }

    @Test
    void helpShowsItsOptions() {
        assertThat(command.run("resource-manager", "--help")).isZero();

        assertThat(command.out()).contains("--policy", "--workers", "--jobs", "--check-delay-ms", "--freed");
    }
}
