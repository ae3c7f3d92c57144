package io.berth.benchmark;

import io.berth.benchmark.churn.ChurnCalls;
import io.berth.benchmark.churn.ChurnDecisions;
import io.berth.benchmark.churn.ChurnOverhead;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.WholeDecision;
import io.berth.benchmark.measure.Figures;
import io.berth.benchmark.measure.Measuring;
import io.berth.benchmark.report.Report;
import io.berth.benchmark.report.SizeSeries;
import io.berth.benchmark.workload.ConstrainedInstance;
import io.berth.benchmark.workload.Instance;
import io.berth.benchmark.workload.TraceWorkload;
import io.berth.benchmark.workload.Workload;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.report.PlotFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Measures decisions of one matching strategy. */
@Command(
        name = "matching",
        footer = {"", Benchmarks.HEAP},
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures the cost of a decision of a matching strategy through the policy host: demands are declared, admitted by"
                    + " fifo, placed, validated and recorded. All slots of ten jobs are placed on idle workers at once; or,"
                    + " with --churn or --events, slots are freed on the full cluster and placed again.",
            "With --nodes FILE and --jobs FILE the workers are the nodes of a trace, and the slots those of all its jobs."
        })
final class MatchingCommand implements Callable<Integer> {

    /** Maximum number of slots that are freed and placed again in one run. */
    private static final int PAIRS = 100_000;
    /** Decisions through the host, where each costs a hundred times as much. */
    private static final int DECISIONS = 2_000;

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Spec
    private CommandSpec spec;

    @Mixin
    private Options options;

    @Option(
            names = "--nodes",
            paramLabel = "FILE",
            description =
                    "The workers, one for each node: Berth's own table or a node list of openb. Not with --workers,"
                            + " --profiles, --seed, --fill, --split-memory, --churn and --events")
    private Optional<Path> nodes = Optional.empty();

    @Option(
            names = "--churn",
            description =
                    "Measures slots that are freed and placed again, one in each decision; and the strategy alone,"
                            + " without a host")
    private boolean churn;

    @Option(names = "--events", paramLabel = "N", description = "The same with N slots in each decision, 1 to 100000")
    private Optional<Integer> events = Optional.empty();

    @Option(
            names = "--constraints",
            paramLabel = "N",
            description =
                    "Each worker has one of N labels, 2 to 1000, and each group of slots may be on all workers but"
                            + " those of one label. Not with --churn, --events and --nodes")
    private Optional<Integer> constraints = Optional.empty();

    @Option(
            names = "--sizes",
            paramLabel = "T,T,...",
            description =
                    "With --events: numbers of workers to measure one after the other, ascending, with ten slots each")
    private Optional<String> sizes = Optional.empty();

    @Option(
            names = "--plot",
            paramLabel = "FILE.svg",
            description = "With --sizes: draws workers (as logarithms) against processor time of a decision")
    private Optional<String> plot = Optional.empty();

    @Override
    public Integer call() {
        events.ifPresent(number -> options.within("--events", number, 1, 100_000));
        if (sizes.isEmpty()) {
            options.refuse(List.of("--plot"), "without --sizes T,T,...: it draws several sizes");
        }
        constraints.ifPresent(number -> {
            options.within("--constraints", number, 2, 1_000);
            options.refuse(
                    List.of("--churn", "--events", "--nodes", "--sizes"),
                    "with --constraints, which is for slots that are all placed at once; leave one of them out");
        });
        if (nodes.isPresent()) {
            TraceWorkload trace = options.trace(nodes.get(), List.of("--churn", "--events", "--sizes"));
            whole(
                    trace,
                    trace.workers() + " nodes, " + trace.requests() + " slots of " + trace.jobs() + " jobs",
                    Workload.of(1_000, 10_000, 20, Workload.JOBS, Workload.SEED, 0, false),
                    options.stated(trace, nodes.get()));
        } else if (sizes.isPresent()) {
            bySize(options.sizes(sizes.get()));
        } else if (churn || events.isPresent()) {
            benchmarks.print(churn(options.workload(), events.orElse(1)));
        } else {
            Workload workload = options.workload();
            Report report = options.stated("matching", workload);
            constraints.ifPresent(number -> report.number("constraints", number));
            whole(constrained(workload), options.describe(), constrained(options.small()), report);
        }
        return 0;
    }

    private Instance constrained(Instance workload) {
        return constraints
                .<Instance>map(classes -> new ConstrainedInstance(workload, classes))
                .orElse(workload);
    }

    /** @param small workload of the warm-up */
    private void whole(Instance workload, String described, Instance small, Report report) {
        benchmarks.progress("warming up " + options.policy() + ": " + described);
        try (Policies policies = new Policies(options.strategy(), clock);
                Pool pool = new Pool(policies, options.policy())) {
            options.warm(clock, policies, small);
            WholeDecision decision = new WholeDecision(workload, pool);
            Figures figures = options.measuring(clock).measure(decision);
            benchmarks.print(report.spread("cpuNanosPerSlot", figures.cpuNanos(), workload.requests())
                    .spread("bytesPerSlot", figures.bytes(), workload.requests())
                    .spread("cpuMillis", figures.cpuNanos(), 1e6)
                    .spread("wallMillis", figures.wallNanos(), 1e6)
                    .number("runs", figures.runs())
                    .number("unplaced", decision.unplaced())
                    .number("workersUsed", decision.workersUsed())
                    .number("lowerBound", workload.lowerBound()));
        }
    }

    private void bySize(List<Integer> all) {
        options.refuse(
                List.of("--workers", "--requests", "--churn"),
                "with --sizes, which sets the number of workers"
                        + " and implies ten slots each; leave one of them out");
        int changes = events.orElseThrow(() -> new ParameterException(
                spec.commandLine(),
                "option --sizes is given without --events N: say how many slots each decision is for"));
        Optional<PlotFile> file;
        try {
            file = plot.map(name -> PlotFile.named("--plot", name));
        } catch (IllegalArgumentException bad) {
            throw new ParameterException(spec.commandLine(), bad.getMessage(), bad);
        }
        SizeSeries series = new SizeSeries(options.policy(), changes);
        for (int size : all) {
            series.add(size, churn(options.ofSize(size), changes));
        }
        benchmarks.print(series);
        file.ifPresent(to -> to.write(series.chart().text()));
    }

    private Report churn(Workload workload, int changes) {
        benchmarks.progress("warming up " + options.policy() + ": "
                + options.describe(workload.workers(), workload.requests()) + ", " + changes
                + " freed and placed again in each decision");
        Measuring measuring = options.measuring(clock);
        int decisions = Math.max(1, Math.min(PAIRS / changes, DECISIONS));
        Figures decided;
        int unplaced;
        try (Policies policies = new Policies(options.strategy(), clock);
                Pool pool = new Pool(policies, options.policy())) {
            options.warm(clock, policies);
            ChurnDecisions through = new ChurnDecisions(workload, pool, decisions, changes);
            decided = measuring.measure(through);
            unplaced = through.unplaced();
        }
        benchmarks.progress("the strategy alone");
        int calls = Math.max(1, PAIRS / changes);
        try (ChurnCalls alone =
                new ChurnCalls(workload, workers -> Policies.session(options.strategy(), workers), calls, changes)) {
            Figures called = measuring.measure(alone);
            Figures around = measuring.measure(new ChurnOverhead(workload, options.strategy(), calls, changes));
            double pairs = (double) calls * changes;
            return options.stated("churn", workload)
                    .number("events", changes)
                    .spread("cpuMicrosPerDecision", decided.cpuNanos(), 1e3 * decisions)
                    .spread("bytesPerDecision", decided.bytes(), decisions)
                    .spread("cpuNanosPerPair", decided.cpuNanos(), (double) decisions * changes)
                    .spread("callCpuNanosPerPair", called.cpuNanos(), pairs)
                    .spread("harnessCpuNanosPerPair", around.cpuNanos(), pairs)
                    .number(
                            "strategyCpuNanosPerPair",
                            (called.cpuNanos().median() - around.cpuNanos().median()) / pairs)
                    .number(
                            "strategyBytesPerPair",
                            (called.bytes().median() - around.bytes().median()) / pairs)
                    .number("runs", called.runs())
                    .number("decisionsPerRun", decisions)
                    .number("callsPerRun", calls)
                    .number("unplaced", unplaced)
                    .number("strategyUnplaced", alone.unplaced());
        }
    }
}
