package io.berth.benchmark;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.util.Arrays;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.stream.LongStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/** Measures how long decisions take without a shadow, beside one that follows, and beside one that hangs. */
@Command(
        name = "shadow",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how long decisions of first-fit take for their owner: without a shadow, with spread as shadow, and with"
                    + " a shadow that hangs. The three take turns, so that all see the same machine.",
            "Times are in microseconds."
        })
final class ShadowCommand implements Callable<Integer> {

    private static final String DECIDES = "first-fit";
    private static final String SHADOW = "spread";
    private static final int WARM = 2_000;
    private static final int TURN = 500;
    private static final int MAX_WORKERS = 100_000;
    private static final int MAX_DECISIONS = 10_000_000;

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Spec
    private CommandSpec spec;

    @Option(names = "--workers", paramLabel = "T", description = "Workers. Default: 1000")
    private int workers = 1_000;

    @Option(
            names = "--decisions",
            paramLabel = "N",
            description = "Decisions of each of the three; rounded up to turns of " + TURN + ". Default: 20000")
    private int decisions = 20_000;

    /** The times of one of the three. */
    private static final class Kept {
        private long[] nanos = {};

        private void add(long[] more) {
            int size = nanos.length;
            nanos = Arrays.copyOf(nanos, size + more.length);
            System.arraycopy(more, 0, nanos, size, more.length);
        }

        private void write(Report report, String name) {
            long[] sorted = LongStream.of(nanos).sorted().toArray();
            report.number(name + "P50", sorted[sorted.length / 2] / 1e3)
                    .number(name + "P99", sorted[(int) (sorted.length * 0.99)] / 1e3)
                    .number(name + "P999", sorted[(int) (sorted.length * 0.999)] / 1e3)
                    .number(name + "Max", sorted[sorted.length - 1] / 1e3);
        }
    }

    @Override
    public Integer call() {
        within("--workers", workers, MAX_WORKERS);
        within("--decisions", decisions, MAX_DECISIONS);
        Kept alone = new Kept();
        Kept following = new Kept();
        Kept hanging = new Kept();
        long compared = 0;
        long skipped = 0;
        try (Policies policies = new Policies(DECIDES, clock);
                Pool pool = new Pool(policies, DECIDES)) {
            DecisionTimes times = new DecisionTimes(pool, clock, workers);
            times.begin();
            benchmarks.progress("warming up " + DECIDES + " on " + workers + " workers");
            times.warm(WARM);
            for (int made = 0; made < decisions; made += TURN) {
                alone.add(times.take(TURN));
                policies.shadowOther(SHADOW);
                times.warm(TURN / 10);
                following.add(times.take(TURN));
                compared += policies.shadow().compared();
                policies.endShadow();
                CountDownLatch released = new CountDownLatch(1);
                policies.shadowHanging(released);
                times.warm(TURN / 10);
                hanging.add(times.take(TURN));
                skipped += policies.shadow().skipped();
                policies.endShadow();
                released.countDown();
                times.warm(TURN / 10);
            }
        }
        Report report = new Report()
                .text("benchmark", "shadow")
                .text("policy", DECIDES)
                .number("workers", workers)
                .number("decisions", alone.nanos.length);
        alone.write(report, "alone");
        following.write(report, "following");
        hanging.write(report, "hanging");
        benchmarks.print(report.number("comparedByFollowing", compared).number("skippedByHanging", skipped));
        return 0;
    }

    private void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "option " + option + " is " + value + ": 1 to " + most + " is allowed");
        }
    }
}
