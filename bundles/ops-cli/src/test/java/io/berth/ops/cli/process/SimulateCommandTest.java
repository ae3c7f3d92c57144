package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command passes its options to the simulator and returns the exit code of the simulator. */
class SimulateCommandTest {

    @TempDir
    Path home;

    private ToolHome tool;

    @BeforeEach
    void home() {
        tool = new ToolHome(home, "simulator");
    }

    @Test
    void passesOnTheGivenOptionsAndReturnsTheExitCode() throws IOException {
        tool.built();

        int code = tool.berth(
                "simulate", "--seeds", "20", "--every-cell", "--from=7", "--faults", "loss,latency", "-o", "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(tool.arguments())
                .containsExactly(
                        "--seeds", "20", "--from", "7", "--faults", "loss,latency", "--every-cell", "-o", "json");
    }

    @Test
    void passesOnTheRuleAgainstDeadlocks() throws IOException {
        tool.built();

        tool.berth("simulate", "--deadlocks", "no-minimum", "--seeds", "20");

        assertThat(tool.arguments()).containsExactly("--seeds", "20", "--deadlocks", "no-minimum", "-o", "table");
    }

    @Test
    void passesOnTheOptionsOfAReplay() throws IOException {
        tool.built();

        int code = tool.berth(
                "simulate",
                "--nodes",
                "nodes.csv",
                "--jobs",
                "log.swf.gz",
                "--outages",
                "lanl.csv.xz",
                "--outages-system=20",
                "--policy",
                "first-fit,spread",
                "--policy",
                "distribution=fifo,backfill:order=shortest-first",
                "--pool=pool.cfg",
                "--plot",
                "x.svg",
                "--limit",
                "9",
                "--slot-cpus",
                "4",
                "--nodes-format",
                "own",
                "--jobs-format",
                "swf",
                "--outages-format",
                "lanl",
                "--pack",
                "--quiet",
                "--worker-start=60",
                "--worker-idle",
                "600",
                "--move-seconds",
                "20");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(tool.arguments())
                .containsExactly(
                        "--jobs",
                        "log.swf.gz",
                        "--policy",
                        "first-fit,spread",
                        "--policy",
                        "distribution=fifo,backfill:order=shortest-first",
                        "--plot",
                        "x.svg",
                        "--nodes",
                        "nodes.csv",
                        "--outages",
                        "lanl.csv.xz",
                        "--pool",
                        "pool.cfg",
                        "--limit",
                        "9",
                        "--worker-start",
                        "60",
                        "--worker-idle",
                        "600",
                        "--move-seconds",
                        "20",
                        "--slot-cpus",
                        "4",
                        "--outages-system",
                        "20",
                        "--nodes-format",
                        "own",
                        "--jobs-format",
                        "swf",
                        "--outages-format",
                        "lanl",
                        "--pack",
                        "--quiet",
                        "-o",
                        "table");
    }

    @Test
    void leavesTheDefaultsToTheSimulator() throws IOException {
        tool.built();

        tool.berth("simulate");

        assertThat(tool.arguments()).containsExactly("-o", "table");
    }

    @Test
    void refusesUnknownOptions() {
        assertThat(tool.berth("simulate", "--sedes", "20")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("'--sedes' is not known").contains("'--seeds'");
    }

    @Test
    void saysWhatToDoWhenTheSimulatorIsNotBuilt() {
        assertThat(tool.berth("simulate")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("is not built").contains("./mvnw package");
    }

    @Test
    void helpListsTheOptions() {
        assertThat(tool.berth("simulate", "--help")).isZero();

        assertThat(tool.out())
                .contains("--seeds", "--from", "--hours", "--workers", "--jobs", "--faults", "--mode", "--replay");
    }
}
