package io.berth.benchmark;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** How many decisions are measured, in turns under different conditions. */
final class TurnOptions {

    /** Decisions of a turn. */
    static final int TURN = 500;

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

    int workers() {
        return workers;
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
