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
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Plays simulated clusters, or replays traces, in a process of its own. That process checks the options. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Plays simulated clusters with faults, and shows which invariants were broken.",
            "With --decisions FILE: makes recorded decisions again, or lets another policy make them.",
            "With --nodes and --jobs FILE: replays a trace of jobs on a cluster in virtual time, and measures policies.",
            "Exit code 0: all invariants held or all decisions are equal, 1: not."
        })
public final class SimulateCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds are played. Default: 100")
    private Optional<String> seeds = Optional.empty();

    @Option(names = "--from", paramLabel = "SEED", description = "The first of them. Default: 1")
    private Optional<String> from = Optional.empty();

    @Option(names = "--hours", paramLabel = "H", description = "Simulated hours of each seed. Default: 1")
    private Optional<String> hours = Optional.empty();

    @Option(names = "--workers", paramLabel = "W", description = "Workers of each cluster. Default: 5")
    private Optional<String> workers = Optional.empty();

    @Option(
            names = "--jobs",
            paramLabel = "J|FILE",
            description = "Jobs that are kept running on it (default: 3); or the "
                    + "trace of jobs to replay: Berth's own table, a pod list of openb, a log in the Standard Workload Format, or a "
                    + "sample of SWIM; plain or packed by gzip or xz")
    private Optional<String> jobs = Optional.empty();

    @Option(
            names = "--faults",
            paramLabel = "LIST|all|none",
            description =
                    "Faults of processes, clocks and the network that happen, separated by commas; an unknown name "
                            + "is answered with the list. Default: all")
    private Optional<String> faults = Optional.empty();

    @Option(
            names = "--mode",
            paramLabel = "safety|liveness",
            description =
                    "safety: no invariant may ever be broken. liveness: also, faults end from time to time, and within "
                            + "three times the largest timeout all jobs must run. Default: liveness")
    private Optional<String> mode = Optional.empty();

    @Option(
            names = "--threads",
            paramLabel = "N",
            description = "Seeds that are played in parallel. Default: one for each core")
    private Optional<String> threads = Optional.empty();

    @Option(
            names = "--coverage",
            paramLabel = "FILE",
            description = "File for the table of what happened to each kind of message")
    private Optional<String> coverage = Optional.empty();

    @Option(
            names = "--cuts",
            paramLabel = "N",
            description = "Number of failing seeds that are shrunk to a short trace. Default: 1")
    private Optional<String> cuts = Optional.empty();

    @Option(names = "--replay", paramLabel = "SEED", description = "Plays one seed and prints its trace")
    private Optional<String> replay = Optional.empty();

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description = "The cluster that a trace is replayed on: Berth's own table or a node list of openb")
    private Optional<String> nodes = Optional.empty();

    @Option(
            names = "--outages",
            paramLabel = "FILE",
            description = "When nodes are away: Berth's own table or the list of LANL")
    private Optional<String> outages = Optional.empty();

    @Option(
            names = "--decisions",
            paramLabel = "FILE",
            description = "Recorded decisions that are made again: what 'berth decisions export' wrote")
    private Optional<String> decisions = Optional.empty();

    @Option(
            names = "--bundle",
            paramLabel = "JAR",
            description =
                    "A bundle with policies, beside those of this release, for recorded decisions and traces; may come "
                            + "again")
    private List<String> bundles = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "LIST",
            description =
                    "Matching strategies, separated by commas, each of which replays the trace. Default: first-fit. "
                            + "NAME:KEY=VALUE:KEY=VALUE sets parameters. With --decisions: one policy of any kind that decides in place of the recorded ones of its "
                            + "kind; KIND:NAME when several kinds have the name")
    private Optional<String> policy = Optional.empty();

    @Option(
            names = "--distribution",
            paramLabel = "LIST",
            description =
                    "Distribution policies, separated by commas, under each of which the trace is replayed. Default: fifo. "
                            + "NAME:KEY=VALUE:KEY=VALUE sets parameters")
    private Optional<String> distribution = Optional.empty();

    @Option(
            names = "--pool",
            paramLabel = "FILE",
            description =
                    "Queues and half-life of the pool of a replay, as in etc/io.berth.pool-default.cfg. Default: no "
                            + "queues")
    private Optional<String> pool = Optional.empty();

    @Option(names = "--quiet", description = "No progress of a replay on standard error")
    private boolean quiet;

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draws utilization and queue length of a replay over time")
    private Optional<String> plot = Optional.empty();

    @Option(names = "--limit", paramLabel = "N", description = "Only the first N jobs of a trace. Default: all")
    private Optional<String> limit = Optional.empty();

    @Option(
            names = "--pack",
            description =
                    "Jobs of a trace arrive one per second, in the order of the file, and stay: how many find room?")
    private boolean pack;

    @Option(
            names = "--worker-start",
            paramLabel = "S",
            description =
                    "Nodes of one kind are a worker spec: workers are started when they are needed, which takes S "
                            + "seconds. Default: all are there")
    private Optional<String> workerStart = Optional.empty();

    @Option(
            names = "--worker-idle",
            paramLabel = "S",
            description = "How long such a worker is kept without slots. Default: 1000")
    private Optional<String> workerIdle = Optional.empty();

    @Option(
            names = "--slot-cpus",
            paramLabel = "N",
            description = "Processors of a slot at most, with the Standard Workload Format. Default: 1")
    private Optional<String> slotCpus = Optional.empty();

    @Option(
            names = "--outages-system",
            paramLabel = "N",
            description = "System in the list of LANL whose outages are used; required with that list")
    private Optional<String> outagesSystem = Optional.empty();

    @Option(
            names = "--nodes-format",
            paramLabel = "F",
            description = "auto, own or openb. Default: auto, by name and first line; so are the next two")
    private Optional<String> nodesFormat = Optional.empty();

    @Option(names = "--jobs-format", paramLabel = "F", description = "auto, own, openb, swf or swim")
    private Optional<String> jobsFormat = Optional.empty();

    @Option(names = "--outages-format", paramLabel = "F", description = "auto, own or lanl")
    private Optional<String> outagesFormat = Optional.empty();

    @Override
    public Integer call() {
        Terminal terminal = berth.terminal();
        Path jar = ControlPlane.newest(terminal.home().resolve("bundles/simulator/target"), "berth-simulator-all\\.jar")
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
                // The process lives for a short time, and nobody waits for an answer.
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
        give(command, "--coverage", coverage);
        give(command, "--replay", replay);
        give(command, "--nodes", nodes);
        give(command, "--outages", outages);
        give(command, "--policy", policy);
        give(command, "--distribution", distribution);
        give(command, "--pool", pool);
        give(command, "--decisions", decisions);
        bundles.forEach(bundle -> command.addAll(List.of("--bundle", bundle)));
        give(command, "--plot", plot);
        give(command, "--limit", limit);
        give(command, "--worker-start", workerStart);
        give(command, "--worker-idle", workerIdle);
        give(command, "--slot-cpus", slotCpus);
        give(command, "--outages-system", outagesSystem);
        give(command, "--nodes-format", nodesFormat);
        give(command, "--jobs-format", jobsFormat);
        give(command, "--outages-format", outagesFormat);
        if (pack) {
            command.add("--pack");
        }
        if (quiet) {
            command.add("--quiet");
        }
        command.addAll(List.of("-o", berth.json() ? "json" : "table"));
        return command;
    }

    private static void give(List<String> command, String option, Optional<String> value) {
        value.ifPresent(given -> command.addAll(List.of(option, given)));
    }
}
