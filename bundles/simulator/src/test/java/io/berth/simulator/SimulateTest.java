package io.berth.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.simulator.fault.ProcessFaults.Fault;
import io.berth.simulator.network.Coverage;
import io.berth.simulator.network.MessageKinds;
import io.berth.simulator.network.Operator;
import io.berth.simulator.seed.Part;
import io.berth.simulator.seed.Plan;
import io.berth.simulator.seed.SeedRun;
import io.berth.simulator.seed.Shrinker;
import io.berth.simulator.time.VirtualTime;
import io.berth.simulator.world.World;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the command line accepts and prints, and its exit codes. */
class SimulateTest {

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    private int simulate(String... arguments) throws InterruptedException {
        return Simulate.run(
                List.of(arguments),
                new PrintStream(out, true, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8));
    }

    private String out() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private String err() {
        return err.toString(StandardCharsets.UTF_8);
    }

    private static SimulateOptions read(String... arguments) {
        return SimulateOptions.read(List.of(arguments), 7);
    }

    @Test
    void defaultsAreAnHourOfFiveWorkersAndThreeJobsWithAllFaults() {
        SimulateOptions options = read();

        assertThat(options.plan()).isEqualTo(Plan.all().broadly());
        assertThat(options.seeds()).isEqualTo(SimulateOptions.SEEDS);
        assertThat(options.from()).isEqualTo(1);
        assertThat(options.step()).isEqualTo(1);
        assertThat(options.nanos()).isEqualTo(3_600 * VirtualTime.SECOND);
        assertThat(options.threads()).isEqualTo(7);
        assertThat(options.replay()).isEmpty();
        assertThat(options.json()).isFalse();
    }

    @Test
    void readsAllOptions() {
        SimulateOptions options = read(
                "--seeds",
                "20",
                "--from=300",
                "--step",
                "17",
                "--hours",
                "0.5",
                "--workers",
                "8",
                "--jobs",
                "2",
                "--faults",
                "kill-worker,LOSS",
                "--mode",
                "safety",
                "--threads",
                "2",
                "--cuts",
                "0",
                "--replay",
                "17",
                "-o",
                "json");
        assertThat(options.everyCell()).isFalse();
        assertThat(read("--every-cell", "--seeds", "2").everyCell()).isTrue();

        assertThat(options.plan().faults()).containsExactly(Fault.KILL_WORKER, Fault.LOSS);
        assertThat(options.plan().workers()).isEqualTo(8);
        assertThat(options.plan().jobs()).isEqualTo(2);
        assertThat(options.plan().liveness()).isFalse();
        assertThat(options.seeds()).isEqualTo(20);
        assertThat(options.from()).isEqualTo(300);
        assertThat(options.step()).isEqualTo(17);
        assertThat(options.nanos()).isEqualTo(1_800 * VirtualTime.SECOND);
        assertThat(options.threads()).isEqualTo(2);
        assertThat(options.cuts()).isZero();
        assertThat(options.replay()).hasValue(17);
        assertThat(options.json()).isTrue();
        assertThat(read("--faults", "none").plan().faults()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--seeds x | option --seeds is 'x': allowed is a whole number from 1 to 10000000",
                "--seeds 0 | option --seeds is '0': allowed is a whole number from 1 to",
                "--step 0 | option --step is '0': allowed is a whole number from 1",
                "--from -1 | option --from is '-1': allowed is a whole number from 0",
                "--hours 0 | option --hours is '0': allowed is a number above 0 up to 1000",
                "--hours long | option --hours is 'long': allowed is a number above 0",
                "--workers 2 | option --workers is '2': too few for the jobs",
                "--jobs 0 | option --jobs is '0': allowed is a whole number from 1 to 1000",
                "--faults loss,rain | option --faults names 'rain': allowed are all, none, and a list of kill-master,",
                "--mode fast | option --mode is 'fast': allowed are safety and liveness",
                "--replay first | option --replay is 'first': allowed is a whole number",
                "-o xml | option -o is 'xml': allowed are table and json",
                "--sedes 1 | option '--sedes' is not known: allowed are --seeds, --from,",
                "--seeds | option --seeds has no value",
                "--jobs=1 --jobs=2 | option --jobs is given twice",
                "--every-cell=no | option '--every-cell' is not known: allowed are --seeds,",
                "--every-cell --replay 3 | option --every-cell does not go with --replay",
                "--deadlocks never | option --deadlocks is 'never': allowed are whole, no-minimum, no-return",
                "--deadlocks whole --workers 9 | option --workers does not go with --deadlocks: allowed are --seeds,",
            })
    void badInputIsToldWithOptionValueAndWhatIsAllowed(String arguments, String message) throws InterruptedException {
        assertThatThrownBy(() -> read(arguments.split(" "))).hasMessageContaining(message);

        assertThat(simulate(arguments.split(" "))).isEqualTo(2);
        assertThat(err()).startsWith("berth: ").contains(message).contains("'berth simulate --help'");
        assertThat(out()).isEmpty();
    }

    @Test
    void deadlockInstancesAreCountedByFigure() throws InterruptedException {
        assertThat(simulate("--deadlocks", "whole", "--seeds", "8", "--threads", "1"))
                .isZero();
        assertThat(out())
                .startsWith("rule whole: 8 instances from seed 1 on")
                .contains(": 0 hang", "FLIP_156: 2 instances, 0 hang", "LOST_WORKER: 2 instances, 0 hang");
    }

    @Test
    void deadlocksWithoutAPartOfTheRuleAreNoFailure() throws Exception {
        assertThat(simulate("--deadlocks", "no-minimum", "--seeds", "8", "--threads", "1", "-o", "json"))
                .isZero();
        JsonNode result = new ObjectMapper().readTree(out());
        assertThat(result.get("rule").asText()).isEqualTo("no-minimum");
        assertThat(result.get("instances").asInt()).isEqualTo(8);
        assertThat(result.get("hang").asInt())
                .isPositive()
                .isEqualTo(result.get("hangs").size());
        assertThat(result.get("figures").get("FLIP_119").get("instances").asInt())
                .isEqualTo(2);
        assertThat(result.get("hangs").get(0).get("why").asText()).contains("WaitingForResources");
    }

    @Test
    void aSafetyRunMayHaveFewWorkers() {
        assertThat(read("--workers", "1", "--mode", "safety").plan().workers()).isEqualTo(1);
    }

    @Test
    void helpShowsOptionsFaultsAndExitCodes() throws InterruptedException {
        assertThat(simulate("--help")).isZero();

        assertThat(out()).contains("--seeds N", "--replay SEED", "Exit code 0", "kill-master, kill-worker");
    }

    @Test
    void compareHasOptionsAndHelpOfItsOwn() throws InterruptedException {
        assertThat(simulate("compare", "--help")).isZero();
        assertThat(out())
                .startsWith("Usage: berth policy compare")
                .contains("--svg FILE.svg")
                .doesNotContain("--plot", "--seeds");

        assertThat(simulate("compare", "--seeds", "3")).isEqualTo(2);
        assertThat(err()).contains("option '--seeds' does not go with a replay", "'berth policy compare --help' shows");
    }

    @Test
    void aRunPrintsItsResultAsJson() throws Exception {
        assertThat(simulate("--seeds", "2", "--hours", "0.05", "-o", "json")).isZero();

        JsonNode json = new ObjectMapper().readTree(out());
        assertThat(json.path("seeds").asInt()).isEqualTo(2);
        assertThat(json.path("events").asLong()).isGreaterThan(1_000);
        assertThat(json.path("simulatedHours").asDouble()).isGreaterThanOrEqualTo(0.1);
        assertThat(json.path("violations").isArray()).isTrue();
        assertThat(json.path("violations")).isEmpty();
        JsonNode registrations = json.path("messages").path("ResourceManager/RegisterWorker");
        assertThat(registrations.path("sent").asLong()).isPositive();
        assertThat(registrations.has("arrived")
                        && registrations.has("fenced")
                        && registrations.has("lost")
                        && registrations.has("cutOff")
                        && registrations.has("unreachable")
                        && registrations.has("tooLate"))
                .isTrue();
        JsonNode coverage = json.path("coverage").path("TaskExecutor/RequestSlots");
        assertThat(coverage.path("fault").asText()).isEqualTo("F05");
        for (Operator operator : Operator.values()) {
            assertThat(coverage.path(operator.name()).isIntegralNumber())
                    .as(operator.name())
                    .isTrue();
        }
        assertThat(json.path("faults").size()).isEqualTo(Fault.values().length);
        assertThat(json.path("returnRequests").isIntegralNumber()).isTrue();
        assertThat(json.path("emptyCells").toString()).contains("JobMaster/Cancel");
        assertThat(json.path("coverage")
                        .path("Dispatcher/ReadBundle")
                        .path("meaningless")
                        .asText())
                .isNotEmpty();
    }

    @Test
    void aRunPrintsOneLineForEachResult(@TempDir Path folder) throws Exception {
        Path coverage = folder.resolve("coverage.txt");
        assertThat(simulate("--seeds", "1", "--hours", "0.05", "--threads", "1", "--coverage", coverage.toString()))
                .isZero();

        assertThat(out().lines()).hasSize(2);
        assertThat(out())
                .startsWith("1 seeds from 1 on, 0.")
                .contains("0 violations")
                .contains(" cells are empty of the table that --coverage FILE writes");
        assertThat(coverage)
                .content()
                .contains("F05   TaskExecutor/RequestSlots ")
                .contains("- Dispatcher/ReadBundle and its answer: ")
                .contains(" cells are empty: ");
    }

    @Test
    void anEmptyCellIsAFailureWhenEveryCellIsRequired() throws InterruptedException {
        assertThat(simulate("--seeds", "1", "--hours", "0.01", "--faults", "none", "--every-cell"))
                .isEqualTo(1);

        assertThat(out())
                .contains("0 violations")
                .contains("are empty of the table that --coverage FILE writes: ")
                .contains("JobMaster/Cancel LOSE");
    }

    @Test
    void aRunThatFilledEveryCellIsNoFailure() {
        MessageKinds kinds = new MessageKinds();
        Coverage coverage = new Coverage(kinds);
        SeedRun.Outcome outcome = new SeedRun.Outcome(1, 1, 1, 1, 1, 0, new TreeMap<>(), 1, List.of(), coverage);
        for (int kind = 0; kind < kinds.count(); kind++) {
            if (kinds.meaningless(kind).isPresent()) {
                continue;
            }
            assertThat(Simulate.exitCode(outcome, true))
                    .as("kind %d is empty", kind)
                    .isEqualTo(1);
            assertThat(Simulate.exitCode(outcome, false)).isZero();
            for (Operator operator : Operator.values()) {
                coverage.applied(kind, operator);
            }
        }
        assertThat(Simulate.exitCode(outcome, true)).isZero();
    }

    @Test
    void aFileThatCannotBeWrittenIsNamedBeforeAnySeedIsPlayed(@TempDir Path folder) throws Exception {
        Path missing = folder.resolve("none").resolve("coverage.txt");
        assertThat(simulate("--seeds", "1", "--hours", "0.01", "--coverage", missing.toString()))
                .isEqualTo(2);
        assertThat(err()).contains("option --coverage is '" + missing + "'");
        assertThat(out()).as("what was played").isEmpty();
    }

    @Test
    void aReplayPrintsTheTrace() throws InterruptedException {
        assertThat(simulate("--replay", "3", "--hours", "0.01")).isZero();

        assertThat(out()).contains("message 1 ").contains("begins").contains("seed 3: trace ");
        assertThat(out().lines()
                        .filter(line -> line.matches(" *[0-9.]+ message [0-9]+ TaskExecutor/RequestSlots of .*")))
                .isNotEmpty()
                .allMatch(line -> line.contains("allocation "));
    }

    @Test
    void brokenInvariantsAreListedAndTheFirstOneIsShrunk() throws Exception {
        Part part = new Part(Optional.of(new World.Shape(1, true, 2, 0, 1, false)), Optional.empty(), Optional.empty());
        SortedMap<Fault, Long> faults = new TreeMap<>();
        faults.put(Fault.LOSS, 3L);
        SeedRun.Outcome outcome = new SeedRun.Outcome(
                9,
                1,
                100,
                7_200 * VirtualTime.SECOND,
                1,
                4,
                faults,
                1_500,
                List.of(
                        new SeedRun.Broken(8, "P1: \"b\"", VirtualTime.SECOND, List.of()),
                        new SeedRun.Broken(5, "C: a", 90 * VirtualTime.SECOND, List.of())),
                new Coverage(new MessageKinds()));
        Shrinker.Cut cut = new Shrinker.Cut(
                5,
                6,
                part,
                12 * VirtualTime.SECOND,
                1,
                2,
                "C: a\n",
                List.of("job-1"),
                List.of("  1.0 begin", "  2.0 end"));

        JsonNode json = new ObjectMapper().readTree(new SimulationJson(outcome, List.of(cut)).text());

        assertThat(json.path("simulatedHours").asDouble()).isEqualTo(2);
        assertThat(json.path("returnRequests").asInt()).isEqualTo(4);
        assertThat(json.path("faults").path("LOSS").asInt()).isEqualTo(3);
        assertThat(outcome.summary()).contains("4 requests for slots by policies");
        JsonNode first = json.path("violations").get(0);
        assertThat(first.path("seed").asInt()).isEqualTo(5);
        assertThat(first.path("violation").asText()).isEqualTo("C: a");
        assertThat(first.path("cut").path("workers").asInt()).isEqualTo(2);
        assertThat(first.path("cut").path("trace").get(1).asText()).isEqualTo("  2.0 end");
        assertThat(json.path("violations").get(1).path("violation").asText()).isEqualTo("P1: \"b\"");
        assertThat(json.path("violations").get(1).has("cut")).isFalse();
    }
}
