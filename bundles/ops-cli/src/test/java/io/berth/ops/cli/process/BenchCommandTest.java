package io.berth.ops.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.ops.cli.console.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command passes its arguments to the benchmark and returns the exit code of the benchmark. */
class BenchCommandTest {

    @TempDir
    Path home;

    private ToolHome tool;

    @BeforeEach
    void home() {
        tool = new ToolHome(home, "benchmark");
    }

    @Test
    void passesOnAllArgumentsAndReturnsTheExitCode() throws IOException {
        tool.built();

        int code = tool.berth("bench", "matching", "--policy", "spread", "--workers=7", "--split-memory", "-o", "json");

        assertThat(code).isEqualTo(ExitCode.FAILED);
        assertThat(tool.arguments())
                .containsExactly("matching", "--policy", "spread", "--workers=7", "--split-memory", "-o", "json");
    }

    @Test
    void passesHelpOnToTheBenchmark() throws IOException {
        tool.built();

        tool.berth("bench", "matching", "--help");

        assertThat(tool.arguments()).containsExactly("matching", "--help", "-o", "table");
    }

    @Test
    void doesNotPassOnTheHeapSize() throws IOException {
        tool.built();

        tool.berth("bench", "resource-manager", "--heap", "64m");

        assertThat(tool.arguments()).containsExactly("resource-manager", "-o", "table");
    }

    @Test
    void refusesAnInvalidHeapSize() throws IOException {
        tool.built();

        assertThat(tool.berth("bench", "matching", "--heap", "much")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("option --heap is 'much'").contains("4g");
    }

    @Test
    void saysWhatToDoWhenTheBenchmarkIsNotBuilt() {
        assertThat(tool.berth("bench", "matching")).isEqualTo(ExitCode.BAD_INPUT);

        assertThat(tool.err()).contains("is not built").contains("./mvnw package");
    }
}
