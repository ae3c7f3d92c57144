package io.berth.benchmark;

import io.berth.benchmark.assignment.MaximumMatching;
import io.berth.benchmark.assignment.SlotFamily;
import io.berth.benchmark.assignment.WholeAssignment;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.AssignmentSession;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Measures how a matching strategy assigns the slots of a job to what the job requires. */
@Command(
        name = "assignment",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures one call of a matching strategy that assigns the slots of a job to what it requires, by the rule loose:"
                    + " slots are as large as what they serve, or larger. All slots can serve, if the strategy finds out how.",
            "Beside how many serve it states the most that can, by a maximum flow."
        })
final class AssignmentCommand implements Callable<Integer> {

    private static final int MAX_SLOTS = 20_000;
    private static final int MAX_PROFILES = 500;
    private static final int MAX_RUNS = 100_000;
    private static final int MAX_WARM_MILLIS = 600_000;
    private static final int MAX_SEEDS = 10_000;

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Spec
    private CommandSpec spec;

    @Mixin
    private StrategyOptions strategies;

    @Option(
            names = "--family",
            paramLabel = "loose|skew",
            description = "Slots are larger by up to 3 steps in each dimension, or by up to 11 in one. Default: loose")
    private SlotFamily.Kind family = SlotFamily.Kind.loose;

    @Option(names = "--slots", paramLabel = "N", description = "Slots that the job has and requires. Default: 1000")
    private int slots = 1_000;

    @Option(names = "--profiles", paramLabel = "P", description = "Sizes of required slots. Default: 20")
    private int profiles = 20;

    @Option(names = "--seed", paramLabel = "S", description = "The first seed. Default: 20261120")
    private long seed = Workload.SEED;

    @Option(names = "--seeds", paramLabel = "K", description = "How many jobs, of as many seeds. Default: 5")
    private int seeds = 5;

    @Option(names = "--runs", paramLabel = "N", description = "Number of measured runs of each job. Default: 15")
    private int runs = 15;

    @Option(
            names = "--warm-ms",
            paramLabel = "MILLIS",
            description = "Duration of the warm-up of each job, in milliseconds. Default: 1000")
    private int warmMillis = 1_000;

    @Override
    public Integer call() {
        within("--slots", slots, 1, MAX_SLOTS);
        within("--profiles", profiles, 2, MAX_PROFILES);
        within("--seeds", seeds, 1, MAX_SEEDS);
        within("--runs", runs, 1, MAX_RUNS);
        within("--warm-ms", warmMillis, 0, MAX_WARM_MILLIS);
        ChosenPolicy<MatchingStrategyFactory> strategy = strategies.chosen(spec);
        Figures medians = new Figures();
        long assigned = 0;
        long most = 0;
        try (AssignmentSession session = Policies.assignment(strategy)) {
            for (int nth = 0; nth < seeds; nth++) {
                benchmarks.progress(strategy.name() + ": " + family + ", " + slots + " slots of " + profiles
                        + " profiles, seed " + (seed + nth));
                SlotFamily job = SlotFamily.of(family, slots, profiles, seed + nth);
                WholeAssignment whole = new WholeAssignment(session, job);
                Figures figures = new Measuring(clock, warmMillis, runs).measure(whole);
                medians.add(
                        figures.cpuNanos().median(),
                        figures.wallNanos().median(),
                        figures.bytes().median());
                assigned += whole.assigned();
                most += MaximumMatching.of(job);
            }
        }
        benchmarks.print(new Report()
                .text("benchmark", "assignment")
                .text("policy", strategy.name())
                .text("family", family.name())
                .number("slots", slots)
                .number("profiles", profiles)
                .number("seed", seed)
                .number("seeds", seeds)
                .spread("wallMillis", medians.wallNanos(), 1e6)
                .spread("cpuNanosPerSlot", medians.cpuNanos(), slots)
                .spread("bytesPerSlot", medians.bytes(), slots)
                .number("runs", runs)
                .number("assigned", assigned)
                .number("maximum", most));
        return 0;
    }

    private void within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option " + option + " is " + value + ": " + least + " to " + most + " is allowed");
        }
    }
}
