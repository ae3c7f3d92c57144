package io.berth.benchmark;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.WholeDecision;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.workload.Instance;
import io.berth.benchmark.workload.TraceWorkload;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.time.Clock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.simulator.traces.BadTrace;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options of a measurement. Values are checked when they are first read. */
final class Options {

    private static final int MAX_WORKERS = 1_000_000;
    private static final int MAX_REQUESTS = 10_000_000;
    private static final int MAX_JOBS = 1_000_000;
    /** Options for drawn workloads, which have no meaning for a trace. */
    private static final List<String> DRAWN = List.of("--workers", "--profiles", "--seed", "--fill", "--split-memory");

    private static final int SLOTS_OF_WORKER = 10;
    private static final int WARM_MILLIS = 5_000;
    /** Distinct combinations of 20 amounts of cpu and 32 of memory. */
    private static final int MAX_PROFILES = 640;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private StrategyOptions strategies;

    @Option(names = "--workers", paramLabel = "T", description = "Idle workers, all equal. Default: 10000")
    private int workers = 10_000;

    @Option(
            names = "--requests",
            paramLabel = "R",
            description =
                    "Slots that the jobs request (default: 100000); of a trace only the first ones (default: all)")
    private int requests = 100_000;

    @Option(
            names = "--profiles",
            paramLabel = "P",
            description = "Sizes of slots, drawn at random; 1: all are of 1 core and 1 GiB. Default: 20")
    private int profiles = 20;

    @Option(
            names = "--jobs",
            paramLabel = "J|FILE",
            description =
                    "Jobs that share the slots (default: 10); or, with 'matching --nodes', the trace of jobs:"
                            + " Berth's own table, a pod list of openb, a log in the Standard Workload Format, or a sample of SWIM")
    private String jobs = Integer.toString(Workload.JOBS);

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the random workload. Default: 20261120")
    private long seed = Workload.SEED;

    @Option(
            names = "--fill",
            paramLabel = "SHARE",
            description =
                    "Share of all workers that the slots fill; more than 1: they do not fit. Default: 0.85, 0.9 with"
                            + " one profile")
    private Optional<Double> fill = Optional.empty();

    @Option(
            names = "--split-memory",
            description = "Memory is half heap and half managed memory: three dimensions instead of two")
    private boolean split;

    @Option(names = "--runs", paramLabel = "N", description = "Number of measured runs. Default: 15")
    private int runs = 15;

    @Option(
            names = "--warm-ms",
            paramLabel = "MILLIS",
            description = "Duration of the warm-up, in milliseconds. Default: 5000; resource-manager: 30000")
    private Optional<Integer> warmMillis = Optional.empty();

    String policy() {
        return strategy().name();
    }

    ChosenPolicy<MatchingStrategyFactory> strategy() {
        return strategies.chosen(spec);
    }

    int workers() {
        return within("--workers", workers, 1, MAX_WORKERS);
    }

    int requests() {
        return within("--requests", requests, 1, MAX_REQUESTS);
    }

    int profiles() {
        return within("--profiles", profiles, 1, MAX_PROFILES);
    }

    private int jobs() {
        if (jobs.matches("[0-9]{1,9}")) {
            return within("--jobs", Integer.parseInt(jobs), 1, MAX_JOBS);
        }
        throw bad(
                "--jobs",
                jobs,
                "allowed is a whole number from 1 to " + MAX_JOBS
                        + ", or the name of a file with 'matching --nodes FILE'");
    }

    long seed() {
        return seed;
    }

    private long warmMillis(int defaultMillis) {
        return within("--warm-ms", warmMillis.orElse(defaultMillis), 0, 600_000);
    }

    Workload workload() {
        return workload(workers(), requests());
    }

    /** The same workload with other numbers of workers and slots. */
    Workload workload(int otherWorkers, int otherRequests) {
        double share = fill.orElse(0.0);
        if (fill.isPresent() && !(share >= 0.01 && share <= 100)) {
            throw bad("--fill", Double.toString(share), "allowed is a number from 0.01 to 100");
        }
        return Workload.of(otherWorkers, otherRequests, profiles(), jobs(), seed, share, split);
    }

    /**
     * Workers and slots of traces.
     *
     * @param more further options that are not allowed with traces, besides those for drawn workloads
     */
    TraceWorkload trace(Path nodes, List<String> more) {
        List<String> wrong =
                Stream.concat(DRAWN.stream(), more.stream()).filter(this::given).toList();
        if (!wrong.isEmpty()) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option " + wrong.get(0) + " is given with --nodes: workers and"
                            + " slots come from the files then; leave out " + String.join(", ", wrong)
                            + ", or --nodes");
        }
        if (!given("--jobs")) {
            throw new ParameterException(
                    spec.commandLine(), "option --nodes is given without --jobs FILE: name the file of the jobs, too");
        }
        try {
            TraceWorkload trace =
                    TraceWorkload.read(nodes, Path.of(jobs), given("--requests") ? requests() : Integer.MAX_VALUE);
            if (trace.requests() > MAX_REQUESTS) {
                throw new IllegalArgumentException("the jobs of " + jobs + " want " + trace.requests()
                        + " slots: allowed are " + MAX_REQUESTS + "; --requests uses only the first ones");
            }
            return trace;
        } catch (BadTrace | IllegalArgumentException bad) {
            throw new ParameterException(spec.commandLine(), bad.getMessage(), bad);
        }
    }

    private boolean given(String option) {
        return spec.commandLine().getParseResult().hasMatchedOption(option);
    }

    /** A report that names the measured traces, and what information they lack. */
    Report stated(TraceWorkload trace, Path nodes) {
        return new Report()
                .text("benchmark", "matching")
                .text("policy", policy())
                .text("nodesFile", nodes.toString())
                .text("jobsFile", jobs)
                .number("workers", trace.workers())
                .number("requests", trace.requests())
                .number("profiles", trace.profiles())
                .number("jobs", trace.jobs())
                .counts("nodesHoles", trace.nodeHoles())
                .counts("jobsHoles", trace.jobHoles());
    }

    Measuring measuring(Clock clock) {
        return measuring(clock, WARM_MILLIS);
    }

    /** @param defaultWarmMillis warm-up where {@code --warm-ms} is not given */
    Measuring measuring(Clock clock, int defaultWarmMillis) {
        return new Measuring(clock, warmMillis(defaultWarmMillis), within("--runs", runs, 1, 10_000));
    }

    /** Warms up, so that interpreted code does not miss the deadline of the first decision on a large workload. */
    void warm(Clock clock, Policies policies) {
        warm(clock, policies, small());
    }

    /** The same workload for {@code size} workers, with ten slots each. */
    Workload ofSize(int size) {
        return workload(size, size * SLOTS_OF_WORKER);
    }

    /**
     * Numbers of workers to measure with, ascending.
     *
     * @param text the value of {@code --sizes}
     */
    List<Integer> sizes(String text) {
        String allowed = "allowed are at least two whole numbers from 1 to " + MAX_WORKERS
                + ", each larger than the one" + " before, like 1000,10000,100000";
        if (!text.matches("[0-9]{1,7}(,[0-9]{1,7})+")) {
            throw bad("--sizes", text, allowed);
        }
        List<Integer> sizes = Stream.of(text.split(",")).map(Integer::valueOf).toList();
        for (int at = 0; at < sizes.size(); at++) {
            if (sizes.get(at) < 1 || sizes.get(at) > MAX_WORKERS || at > 0 && sizes.get(at) <= sizes.get(at - 1)) {
                throw bad("--sizes", text, allowed);
            }
        }
        return sizes;
    }

    /** Rejects the first of these options that is given. */
    void refuse(List<String> others, String why) {
        others.stream().filter(this::given).findFirst().ifPresent(option -> {
            throw new ParameterException(spec.commandLine(), "option " + option + " is given " + why);
        });
    }

    /** A small workload of the same kind. */
    Workload small() {
        return workload(Math.min(workers(), 1_000), Math.min(requests(), 10_000));
    }

    void warm(Clock clock, Policies policies, Instance small) {
        try (Pool pool = new Pool(policies, policy())) {
            new Measuring(clock, warmMillis(WARM_MILLIS) / 2, 0).measure(new WholeDecision(small, pool));
        }
    }

    /** A description in one line. */
    String describe() {
        return describe(workers(), requests());
    }

    String describe(int ofWorkers, int ofRequests) {
        return ofWorkers + " workers, " + ofRequests + " slots of " + profiles() + " profiles";
    }

    /** A report that describes the measured workload. */
    Report stated(String benchmark, Workload workload) {
        return new Report()
                .text("benchmark", benchmark)
                .text("policy", policy())
                .number("workers", workload.workers())
                .number("requests", workload.requests())
                .number("profiles", profiles())
                .number("jobs", jobs())
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
