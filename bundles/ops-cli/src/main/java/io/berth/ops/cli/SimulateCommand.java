package io.berth.ops.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Plays simulated clusters in a process of its own, which checks the values of the options. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Plays simulated clusters, to which faults happen, and tells which promises were broken.",
            "Exit code 0: all were kept, 1: one was broken."
        })
final class SimulateCommand implements Callable<Integer> {

    @ParentCommand
    private Berth berth;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds are played. Default: 100")
    private Optional<String> seeds = Optional.empty();

    @Option(names = "--from", paramLabel = "SEED", description = "The first of them. Default: 1")
    private Optional<String> from = Optional.empty();

    @Option(names = "--hours", paramLabel = "H", description = "Simulated hours of each seed. Default: 1")
    private Optional<String> hours = Optional.empty();

    @Option(names = "--workers", paramLabel = "W", description = "Workers of each cluster. Default: 5")
    private Optional<String> workers = Optional.empty();

    @Option(names = "--jobs", paramLabel = "J", description = "Jobs that are kept running on it. Default: 3")
    private Optional<String> jobs = Optional.empty();

    @Option(
            names = "--faults",
            paramLabel = "LIST|all|none",
            description = "Faults of processes, clocks and the network that happen, separated by commas; an unknown name "
                    + "is answered with the list. Default: all")
    private Optional<String> faults = Optional.empty();

    @Option(
            names = "--mode",
            paramLabel = "safety|liveness",
            description = "safety: nothing wrong may ever happen. liveness: moreover faults end now and then, and within "
                    + "three times the largest time-out all must be well. Default: liveness")
    private Optional<String> mode = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Seeds that are played at one time. Default: one for each core")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--cuts",
            paramLabel = "N",
            description = "Of so many seeds that broke a promise a short trace is looked for. Default: 1")
    private Optional<String> cuts = Optional.empty();

    @Option(names = "--replay", paramLabel = "SEED", description = "Plays one seed and prints its trace")
    private Optional<String> replay = Optional.empty();

    @Override
    public Integer call() {
        Terminal terminal = berth.terminal();
        Path jar = ControlPlane.newest(
                        terminal.home().resolve("bundles/simulator/target"), "berth-simulator-[0-9.]+-all\\.jar")
                .orElseThrow(() -> new CommandFailure(
                        ExitCode.BAD_INPUT, "the simulator is not built: build it with ./mvnw package"));
        try {
            Process simulator = new ProcessBuilder(command(jar)).inheritIO().start();
            return WorkerCommand.await(terminal, simulator);
        } catch (IOException failure) {
            throw new UncheckedIOException("the simulator cannot be started", failure);
        }
    }

    private List<String> command(Path jar) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Nothing lives long, and nobody waits for an answer.
                "-XX:+UseSerialGC",
                "-Xmn256m",
                "-Dslf4j.internal.verbosity=ERROR",
                "-jar",
                jar.toString()));
        give(command, "--seeds", seeds);
        give(command, "--from", from);
        give(command, "--hours", hours);
        give(command, "--workers", workers);
        give(command, "--jobs", jobs);
        give(command, "--faults", faults);
        give(command, "--mode", mode);
        give(command, "--threads", threads);
        give(command, "--cuts", cuts);
        give(command, "--replay", replay);
        command.addAll(List.of("-o", berth.json() ? "json" : "table"));
        return command;
    }

    private static void give(List<String> command, String option, Optional<String> value) {
        value.ifPresent(given -> command.addAll(List.of(option, given)));
    }
}
