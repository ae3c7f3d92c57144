package io.berth.ops.cli.process;

import io.berth.ops.cli.console.Console;
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
            "Measures what decisions and the ResourceManager path cost: matching, resource-manager, shadow, pools, assignment,"
                    + " distribution, journal.",
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
        // A heap that grows during a measurement would change the figures.
        ToolProcess benchmark =
                new ToolProcess(berth, "benchmark", List.of("-Xms" + heap, "-Xmx" + heap, "-XX:+UseParallelGC"));
        arguments.forEach(benchmark::give);
        return benchmark.run();
    }
}
