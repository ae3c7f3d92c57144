package io.berth.benchmark;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How many decisions are measured, in turns under different conditions. */
final class TurnOptions {

    /** The strategy that decides. */
    static final String DECIDES = "first-fit";

    /** Decisions of a turn. */
    static final int TURN = 500;

    private static final int WARM = 2_000;

    private static final int MAX_WORKERS = 100_000;
    private static final int MAX_DECISIONS = 10_000_000;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--workers", paramLabel = "T", description = "Workers. Default: 1000")
    private int workers = 1_000;

    @Option(
            names = "--decisions",
            paramLabel = "N",
            description = "Decisions of each of the three; rounded up to turns of " + TURN + ". Default: 20000")
    private int decisions = 20_000;

    void check() {
        within("--workers", workers, MAX_WORKERS);
        within("--decisions", decisions, MAX_DECISIONS);
    }

    /** Describes the workers and makes decisions until they are fast. */
    DecisionTimes warmed(Pool pool, Clock clock, Benchmarks benchmarks) {
        DecisionTimes times = new DecisionTimes(pool, clock, workers);
        times.begin();
        benchmarks.progress("warming up " + DECIDES + " on " + workers + " workers");
        times.warm(WARM);
        return times;
    }

    /** A report that says what was measured. */
    Report report(String benchmark, KeptTimes alone) {
        return new Report()
                .text("benchmark", benchmark)
                .text("policy", DECIDES)
                .number("workers", workers)
                .number("decisions", alone.size());
    }

    int turns() {
        return (decisions + TURN - 1) / TURN;
    }

    private void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "option " + option + " is " + value + ": 1 to " + most + " is allowed");
        }
    }
}
