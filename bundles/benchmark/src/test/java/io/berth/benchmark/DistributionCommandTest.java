package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DistributionCommandTest {

    private static final Path FIFO = jar("distribution-fifo");
    private static final Path SPREAD = jar("matching-spread");

    private final CommandLineRun command = new CommandLineRun();

    private static Path jar(String module) {
        return Path.of("..", module, "target", "berth-" + module + ".jar");
    }

    private JsonNode measured(String... more) throws IOException {
        return command.json("distribution --warm-ms 0 --runs 1 -o json", more);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fifo", "backfill", "capacity", "drf", "fair-share", "priority"})
    void tellsWhatACallOfEachPolicyCosts(String policy) throws IOException {
        JsonNode result = measured("--policy", policy, "--units", "20,100", "--queues", "7");

        assertThat(result.get("policy").asText()).isEqualTo(policy);
        assertThat(result.get("rows").findValuesAsText("situation"))
                .containsExactly("arrival", "backlog", "arrival", "backlog");
        assertThat(result.get("rows").findValuesAsText("units")).containsExactly("20", "20", "100", "100");
        for (JsonNode row : result.get("rows")) {
            assertThat(row.get("callCpuMicros").asDouble()).isPositive();
            assertThat(row.get("admitted").asInt()).as(row.toString()).isPositive();
        }
    }

    @Test
    void theOneThatArrivesIsAdmittedAndInABacklogAllThatWait() throws IOException {
        JsonNode rows = measured("--units", "50").get("rows");

        // The minimum, and one slot above it.
        assertThat(rows.get(0).get("admitted").asInt()).isEqualTo(2);
        assertThat(rows.get(1).get("admitted").asInt()).isEqualTo(2 * 45);
    }

    @Test
    void measuresThePolicyOfABundle() throws IOException {
        assertThat(measured("--bundle", FIFO.toString(), "--units", "10")
                        .get("policy")
                        .asText())
                .isEqualTo("fifo");

        assertThat(command.run("distribution", "--bundle", SPREAD.toString())).isEqualTo(2);
        assertThat(command.err())
                .contains("option --bundle is '" + SPREAD
                        + "': it has no distribution policy, only the matching strategy spread");
    }

    @Test
    void writesATable() {
        assertThat(command.run("distribution", "--warm-ms", "0", "--runs", "1", "--units", "10"))
                .isZero();

        assertThat(command.out().lines())
                .anyMatch(line -> line.matches("policy +fifo"))
                .anyMatch(line -> line.matches(" *situation +units +callCpuMicros.*"))
                .anyMatch(line -> line.matches(" *backlog +10 .*"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--policy|best|option --policy has 'best': allowed distribution policies are fifo, backfill, capacity",
                "--units|0|option --units has '0': allowed is a whole number from 1 to 1000000",
                "--units|many|option --units is 'many': allowed are whole numbers from 1 to 1000000 with commas",
                "--queues|901|option --queues has '901': allowed is a whole number from 0 to 900",
                "--runs|0|option --runs has '0': allowed is a whole number from 1 to 10000",
                "--warm-ms|-1|option --warm-ms has '-1': allowed is a whole number from 0 to 600000",
            })
    void refusesWhatIsNotAllowed(String option, String value, String message) {
        assertThat(command.run("distribution", option, value)).isEqualTo(2);

        assertThat(command.err()).contains(message).contains("--help");
        assertThat(command.out()).isEmpty();
    }
}
