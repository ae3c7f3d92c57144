package io.berth.benchmark;

import io.berth.core.api.time.Clock;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a measurement is asked for on its command line; values are checked when they are first read. */
final class Options {

    private static final int MOST_WORKERS = 1_000_000;
    private static final int MOST_REQUESTS = 10_000_000;
    /** As many as differ among 20 amounts of cpu and 32 of memory. */
    private static final int MOST_PROFILES = 640;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--policy",
            paramLabel = "NAME",
            description = "Matching strategy that decides: first-fit or spread. Default: first-fit")
    private String policy = "first-fit";

    @Option(names = "--workers", paramLabel = "T", description = "Idle workers, all equal. Default: 10000")
    private int workers = 10_000;

    @Option(names = "--requests", paramLabel = "R", description = "Slots that the jobs want. Default: 100000")
    private int requests = 100_000;

    @Option(
            names = "--profiles",
            paramLabel = "P",
            description = "Sizes of slots, drawn at random; 1: all are of 1 core and 1 GiB. Default: 20")
    private int profiles = 20;

    @Option(names = "--jobs", paramLabel = "J", description = "Jobs that share the slots. Default: 10")
    private int jobs = Workload.JOBS;

    @Option(names = "--seed", paramLabel = "S", description = "Of what is drawn. Default: 20261120")
    private long seed = Workload.SEED;

    @Option(
            names = "--fill",
            paramLabel = "SHARE",
            description = "Share of all workers that the slots fill; more than 1: they do not fit. Default: 0.85, 0.9 with"
                    + " one profile")
    private Optional<Double> fill = Optional.empty();

    @Option(
            names = "--split-memory",
            description = "Memory is half heap and half managed memory: three dimensions instead of two")
    private boolean split;

    @Option(names = "--runs", paramLabel = "N", description = "Runs that are measured. Default: 15")
    private int runs = 15;

    @Option(
            names = "--warm-ms",
            paramLabel = "MILLIS",
            description = "For how long it runs before anything is measured. Default: 5000")
    private int warmMillis = 5_000;

    String policy() {
        if (!Policies.MATCHING.contains(policy)) {
            throw bad("--policy", policy, "allowed are " + String.join(", ", Policies.MATCHING));
        }
        return policy;
    }

    int workers() {
        return within("--workers", workers, 1, MOST_WORKERS);
    }

    int requests() {
        return within("--requests", requests, 1, MOST_REQUESTS);
    }

    int profiles() {
        return within("--profiles", profiles, 1, MOST_PROFILES);
    }

    long seed() {
        return seed;
    }

    long warmMillis() {
        return within("--warm-ms", warmMillis, 0, 600_000);
    }

    Workload workload() {
        return workload(workers(), requests());
    }

    /** The same with other numbers of workers and slots. */
    Workload workload(int otherWorkers, int otherRequests) {
        double share = fill.orElse(0.0);
        if (fill.isPresent() && !(share >= 0.01 && share <= 100)) {
            throw bad("--fill", Double.toString(share), "allowed is a number from 0.01 to 100");
        }
        return Workload.of(otherWorkers, otherRequests, profiles(), within("--jobs", jobs, 1, 1_000_000), seed, share, split);
    }

    Measuring measuring(Clock clock) {
        return new Measuring(clock, warmMillis(), within("--runs", runs, 1, 10_000));
    }

    /** So that the first decision on a large workload is not made by interpreted code, beyond its deadline. */
    void warm(Clock clock, Policies policies) {
        Workload small = workload(Math.min(workers(), 1_000), Math.min(requests(), 10_000));
        try (Pool pool = new Pool(policies, policy())) {
            new Measuring(clock, warmMillis() / 2, 0).measure(new WholeDecision(small, pool));
        }
    }

    /** In one line. */
    String describe() {
        return workers() + " workers, " + requests() + " slots of " + profiles() + " profiles";
    }

    /** A report that says what was measured. */
    Report stated(String benchmark) {
        return new Report()
                .text("benchmark", benchmark)
                .text("policy", policy())
                .number("workers", workers())
                .number("requests", requests())
                .number("profiles", profiles())
                .number("jobs", jobs)
                .number("seed", seed)
                .flag("splitMemory", split);
    }

    int within(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw bad(option, Integer.toString(value), "allowed is a whole number from " + least + " to " + most);
        }
        return value;
    }

    private ParameterException bad(String option, String value, String allowed) {
        return new ParameterException(spec.commandLine(), "option " + option + " is '" + value + "': " + allowed);
    }
}
