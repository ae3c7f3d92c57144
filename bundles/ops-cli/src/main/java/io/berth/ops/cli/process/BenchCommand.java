package io.berth.ops.cli.process;

import io.berth.ops.cli.console.CommandFailure;
import io.berth.ops.cli.console.Console;
import io.berth.ops.cli.console.ExitCode;
import io.berth.ops.cli.console.Terminal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Unmatched;

/** Runs the benchmark in a process of its own. That process reads and checks all options except the heap. */
@Command(
        name = "bench",
        description = {
            "Measures what decisions and the ResourceManager path cost: matching, resource-manager, shadow, pools.",
            "'berth bench WHAT --help' shows the options."
        })
public final class BenchCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Spec
    private CommandSpec spec;

    @Option(names = "--heap", paramLabel = "SIZE", description = "Heap of the process. Default: 4g")
    private String heap = "4g";

    @Unmatched
    private final List<String> arguments = new ArrayList<>();

    @Override
    public Integer call() {
        if (!heap.matches("[1-9][0-9]{0,5}[mg]")) {
            throw new ParameterException(
                    spec.commandLine(), "option --heap is '" + heap + "': allowed is a size like 512m or 4g");
        }
        Terminal terminal = berth.terminal();
        Path jar = ControlPlane.newest(terminal.home().resolve("bundles/benchmark/target"), "berth-benchmark-all\\.jar")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT, "the benchmark is not built: build it with ./mvnw package"));
        try {
            Process benchmark = new ProcessBuilder(command(jar)).inheritIO().start();
            return WorkerCommand.await(terminal, benchmark);
        } catch (IOException failure) {
            throw new UncheckedIOException("the benchmark cannot be started", failure);
        }
    }

    private List<String> command(Path jar) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // A heap that grows during a measurement would change the figures.
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-Dslf4j.internal.verbosity=ERROR",
                "-jar",
                jar.toString()));
        command.addAll(arguments);
        command.addAll(List.of("-o", berth.json() ? "json" : "table"));
        return command;
    }
}
