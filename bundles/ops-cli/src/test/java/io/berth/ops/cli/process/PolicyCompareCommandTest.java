package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command passes its options to the simulator and returns the exit code of the simulator. */
class PolicyCompareCommandTest {

    @TempDir
    Path home;

    private ToolHome tool;

    @BeforeEach
    void home() {
        tool = new ToolHome(home, "simulator");
    }

    @Test
    void passesOnTheListsOfBothKinds() throws IOException {
        tool.built();

        int code = tool.berth(
                "policy",
                "compare",
                "--jobs",
                "log.swf.gz",
                "--nodes=nodes.csv",
                "--policy",
                "matching=first-fit,spread",
                "--policy=distribution=fifo,backfill:order=shortest-first",
                "--bundle",
                "a.jar",
                "--bundle",
                "b.jar",
                "--svg",
                "compared.svg",
                "--quiet",
                "-o",
                "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(tool.arguments())
                .containsExactly(
                        "compare",
                        "--jobs",
                        "log.swf.gz",
                        "--policy",
                        "matching=first-fit,spread",
                        "--policy",
                        "distribution=fifo,backfill:order=shortest-first",
                        "--svg",
                        "compared.svg",
                        "--nodes",
                        "nodes.csv",
                        "--bundle",
                        "a.jar",
                        "--bundle",
                        "b.jar",
                        "--quiet",
                        "-o",
                        "json");
    }

    @Test
    void leavesTheDefaultsToTheSimulator() throws IOException {
        tool.built();

        tool.berth("policy", "compare");

        assertThat(tool.arguments()).containsExactly("compare", "-o", "table");
    }

    @Test
    void refusesOptionsOfOtherCommands() {
        assertThat(tool.berth("policy", "compare", "--seeds", "20")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("option '--seeds' is not known").contains("'berth policy compare --help'");
    }

    @Test
    void saysWhatToDoWhenTheSimulatorIsNotBuilt() {
        assertThat(tool.berth("policy", "compare")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("is not built").contains("./mvnw package");
    }
}
