package io.berth.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code berth bench matching --nodes FILE --jobs FILE}, on a cluster and jobs that are verified by hand. */
class TraceMatchingTest {

    @TempDir
    Path directory;

    private final CommandLineRun command = new CommandLineRun();
    private Path nodes;
    private Path jobs;

    @BeforeEach
    void write() throws IOException {
        nodes = Files.writeString(directory.resolve("nodes.csv"), """
                name,cpu,memory_mib,count,resource.gpu
                small,2,4096,3,
                large,8,8192,1,4
                """);
        // In the order of the file, which is not the order of arrivals.
        jobs = Files.writeString(directory.resolve("jobs.csv"), """
                name,arrival_s,run_s,slots,cpu,memory_mib,resource.gpu
                first,100,10,4,1,1024,
                second,0,,3,2,2048,1
                third,7,10,3,1,3072,
                """);
    }

    private List<String> arguments(String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("matching", "--nodes", nodes.toString(), "--jobs", jobs.toString()));
        arguments.addAll(List.of(more));
        return arguments;
    }

    private JsonNode measured(String... more) throws IOException {
        return command.json(
                "matching --warm-ms 0 --runs 3 -o json",
                arguments(more).stream().skip(1).toArray(String[]::new));
    }

    @Test
    void placesTheSlotsOfAllJobsOnTheNodes() throws IOException {
        JsonNode result = measured();

        assertThat(result.get("nodesFile").asText()).isEqualTo(nodes.toString());
        assertThat(result.get("workers").asInt()).isEqualTo(4);
        assertThat(result.get("requests").asInt()).isEqualTo(10);
        assertThat(result.get("profiles").asInt()).isEqualTo(3);
        assertThat(result.get("jobs").asInt()).isEqualTo(3);
        assertThat(result.get("jobsHoles")
                        .get("jobs without run time: they hold their slots to the end")
                        .asInt())
                .isOne();
        assertThat(result.get("cpuNanosPerSlot").asDouble()).isPositive();
        assertThat(result.get("bytesPerSlot").asDouble()).isPositive();
        assertThat(result.get("runs").asInt()).isEqualTo(3);
        // The first job fills two small nodes. The second one has three slots on the large node (cpu 6 of 8, memory 6
        // of 8 GiB), the third one has one slot on the third small node (3 of 4 GiB). No other node has 3 GiB left.
        assertThat(result.get("unplaced").asInt()).isEqualTo(2);
        assertThat(result.get("workersUsed").asInt()).isEqualTo(4);
        // cpu 13: 8 + 2 + 2 + 2; memory 19 GiB: 8 + 4 + 4 + 4; gpu 3 of 4.
        assertThat(result.get("lowerBound").asInt()).isEqualTo(4);
    }

    @Test
    void usesOnlyTheFirstSlots() throws IOException {
        JsonNode result = measured("--requests", "5");

        assertThat(result.get("requests").asInt()).isEqualTo(5);
        assertThat(result.get("jobs").asInt()).isEqualTo(2);
        assertThat(result.get("unplaced").asInt()).isZero();
        assertThat(result.get("workersUsed").asInt())
                .as("two small nodes and the large one")
                .isEqualTo(3);
        // cpu 6 and memory 6 GiB fit on the large one.
        assertThat(result.get("lowerBound").asInt()).isOne();
    }

    @Test
    void spreadsOverAllNodes() throws IOException {
        JsonNode result = measured("--requests", "4", "--policy", "spread");

        assertThat(result.get("unplaced").asInt()).isZero();
        assertThat(result.get("workersUsed").asInt()).isEqualTo(4);
    }

    @Test
    void rejectsABadTraceWithLineAndColumn() throws IOException {
        Files.writeString(jobs, """
                name,arrival_s,run_s,slots,cpu,memory_mib
                first,100,10,4,1,1024
                second,0,10,none,2,2048
                """);

        assertThat(command.run(arguments().toArray(String[]::new))).isEqualTo(2);

        assertThat(command.err()).contains("jobs.csv:3:13: field slots is 'none': allowed is a whole number from 1");
        assertThat(command.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--workers 7|option --workers is given with --nodes",
                "--profiles 7|option --profiles is given with --nodes",
                "--seed 7|option --seed is given with --nodes",
                "--fill 0.5|option --fill is given with --nodes",
                "--split-memory|option --split-memory is given with --nodes",
                "--churn|option --churn is given with --nodes",
                "--events 7 --seed 1|leave out --seed, --events, or --nodes",
                "--requests 0|option --requests is '0': allowed is a whole number from 1 to 10000000",
            })
    void refusesWhatDoesNotGoTogether(String more, String message) {
        assertThat(command.run(arguments(more.split(" ")).toArray(String[]::new)))
                .isEqualTo(2);

        assertThat(command.err()).contains(message).contains("--help");
        assertThat(command.out()).isEmpty();
    }

    @Test
    void rejectsOneFileWithoutTheOther() {
        assertThat(command.run("matching", "--nodes", nodes.toString())).isEqualTo(2);
        assertThat(command.err()).contains("option --nodes is given without --jobs FILE");

        assertThat(command.run("matching", "--jobs", jobs.toString())).isEqualTo(2);
        assertThat(command.err())
                .contains("jobs.csv': allowed is a whole number")
                .contains("with 'matching --nodes FILE'");
    }
}
