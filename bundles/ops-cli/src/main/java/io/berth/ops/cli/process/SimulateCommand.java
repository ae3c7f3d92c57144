package io.berth.ops.cli.process;

import io.berth.ops.cli.console.Console;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Plays simulated clusters, or replays traces, in a process of its own. That process checks the options. */
@Command(
        name = "simulate",
        mixinStandardHelpOptions = true,
        description = {
            "Plays simulated clusters with faults, and shows which invariants were broken.",
            "With --deadlocks RULE: plays small clusters on which units compete for slots.",
            "With --decisions FILE: makes recorded decisions again, or lets another policy make them.",
            "With --nodes and --jobs FILE: replays a trace of jobs on a cluster in virtual time, and measures policies."
                    + " 'berth policy compare' shows less of it, to choose one.",
            "Exit code 0: all invariants held or all decisions are equal, 1: not, or a cell is empty with --every-cell."
        })
public final class SimulateCommand implements Callable<Integer> {

    @ParentCommand
    private Console berth;

    @Option(names = "--seeds", paramLabel = "N", description = "How many seeds are played. Default: 100")
    private Optional<String> seeds = Optional.empty();

    @Option(names = "--from", paramLabel = "SEED", description = "The first of them. Default: 1")
    private Optional<String> from = Optional.empty();

    @Option(names = "--step", paramLabel = "N", description = "Distance from one seed to the next. Default: 1")
    private Optional<String> step = Optional.empty();

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

    @Option(names = "--every-cell", description = "Fails when a cell of that table is empty, and prints which")
    private boolean everyCell;

    @Option(
            names = "--cuts",
            paramLabel = "N",
            description = "Number of failing seeds that are shrunk to a short trace. Default: 1")
    private Optional<String> cuts = Optional.empty();

    @Option(names = "--replay", paramLabel = "SEED", description = "Plays one seed and prints its trace")
    private Optional<String> replay = Optional.empty();

    @Option(
            names = "--deadlocks",
            paramLabel = "RULE",
            description = "Plays small clusters on which units compete for slots, and counts those that hang: with the "
                    + "whole rule against deadlocks, or without a part of it: whole, no-minimum, no-return")
    private Optional<String> deadlocks = Optional.empty();

    @Option(
            names = "--decisions",
            paramLabel = "FILE",
            description = "Recorded decisions that are made again: what 'berth decisions export' wrote")
    private Optional<String> decisions = Optional.empty();

    @Option(
            names = "--policy",
            paramLabel = "KIND=LIST",
            description =
                    "matching=LIST and distribution=LIST, with commas in LIST: policies, each combination of which "
                            + "replays the trace. LIST alone is of matching. NAME:KEY=VALUE:KEY=VALUE sets parameters. Default: first-fit and "
                            + "fifo. With --decisions: NAME of one policy of any kind, with parameters in the same way, that decides in "
                            + "place of the recorded ones of its kind; KIND:NAME when several kinds have the name")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "Draws utilization and queue length of a replay over time")
    private Optional<String> plot = Optional.empty();

    @Mixin
    private ReplayOptions replayed = new ReplayOptions();

    @Override
    public Integer call() {
        ToolProcess simulator = new ToolProcess(berth, "simulator");
        simulator.give("--seeds", seeds);
        simulator.give("--from", from);
        simulator.give("--step", step);
        simulator.give("--hours", hours);
        simulator.give("--workers", workers);
        simulator.give("--jobs", jobs);
        simulator.give("--faults", faults);
        simulator.give("--mode", mode);
        simulator.give("--threads", threads);
        simulator.give("--cuts", cuts);
        simulator.give("--coverage", coverage);
        simulator.give("--every-cell", everyCell);
        simulator.give("--replay", replay);
        simulator.give("--deadlocks", deadlocks);
        simulator.give("--decisions", decisions);
        simulator.give("--policy", policies);
        simulator.give("--plot", plot);
        replayed.addTo(simulator);
        return simulator.run();
    }
}
