package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command passes its options to the score card and returns the exit code of the score card. */
class PolicyTestCommandTest {

    @TempDir
    Path home;

    private ToolHome tool;

    @BeforeEach
    void home() {
        tool = new ToolHome(home, "scorecard");
    }

    @Test
    void passesOnTheJarAndAllOptions() throws IOException {
        tool.built();

        int code = tool.berth(
                "policy",
                "test",
                "a.jar",
                "--policy=mine",
                "--seed",
                "7",
                "--seeds=1",
                "--nodes=n.csv",
                "--jobs=j.csv",
                "--quick",
                "--limit",
                "9",
                "-o",
                "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(tool.arguments())
                .containsExactly(
                        "a.jar",
                        "--policy",
                        "mine",
                        "--seed",
                        "7",
                        "--seeds",
                        "1",
                        "--nodes",
                        "n.csv",
                        "--jobs",
                        "j.csv",
                        "--quick",
                        "--limit",
                        "9",
                        "-o",
                        "json");
    }

    @Test
    void leavesTheDefaultsToTheScoreCard() throws IOException {
        tool.built();

        tool.berth("policy", "test", "a.jar");

        assertThat(tool.arguments()).containsExactly("a.jar", "-o", "table");
    }

    @Test
    void needsAJar() {
        assertThat(tool.berth("policy", "test")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("JAR").contains("'berth policy test --help'");
    }

    @Test
    void saysWhatToDoWhenTheScoreCardIsNotBuilt() {
        assertThat(tool.berth("policy", "test", "a.jar")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("the scorecard is not built").contains("./mvnw package");
    }
}
