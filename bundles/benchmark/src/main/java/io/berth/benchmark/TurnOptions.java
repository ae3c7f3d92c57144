package io.berth.benchmark;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.Turns;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The strategy and how many decisions of it are measured, in turns under different conditions. */
final class TurnOptions {

    /** Describes what verdicts are by. */
    static final String STATISTIC =
            "A shared or small machine stops any process for milliseconds now and then, which makes the"
                    + " 99.9 %% of all decisions (P999) differ from run to run. So each turn, of which the first 200 ms do not"
                    + " count, has a 99.9 %% of its own, the second"
                    + " slowest of " + Turns.TURN
                    + " decisions (P999OfTurn is the median of the turns). It is divided by that of the"
                    + " other condition in the same round, and the verdict is by the median of the quotients. Of very many rounds"
                    + " it would be between QuotientLow and QuotientHigh, with a probability of 95 %%: when 1.10 is between them,"
                    + " give it more --decisions.";

    /** What to do when a turn takes longer than the deadline of a call. */
    static final String SHORTER = "fewer --workers make turns shorter";

    private static final int WARM = 2_000;

    private static final int MAX_WORKERS = 100_000;
    private static final int MAX_DECISIONS = 10_000_000;

    @Spec(Target.MIXEE)
    private CommandSpec spec;

    @Mixin
    private StrategyOptions strategies;

    @Option(names = "--workers", paramLabel = "T", description = "Workers. Default: 1000")
    private int workers = 1_000;

    @Option(
            names = "--decisions",
            paramLabel = "N",
            description = "Decisions under each condition; rounded up to turns of " + Turns.TURN + ". Default: 100000")
    private int decisions = 100_000;

    void check() {
        within("--workers", workers, MAX_WORKERS);
        within("--decisions", decisions, MAX_DECISIONS);
    }

    /** The strategy that decides. */
    ChosenPolicy<MatchingStrategyFactory> strategy() {
        return strategies.chosen(spec);
    }

    /**
     * Another strategy than the one that decides.
     *
     * @param named value of the option; empty: not given
     * @param usual the first of these that is another one
     */
    ChosenPolicy<MatchingStrategyFactory> other(String option, Optional<String> named, List<String> usual) {
        String decides = strategy().name();
        List<String> others = strategies.names().stream()
                .filter(name -> !name.equals(decides))
                .toList();
        String name = named.orElseGet(
                () -> usual.stream().filter(others::contains).findFirst().orElse(others.get(0)));
        if (!others.contains(name)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "option " + option + " is '" + name + "': allowed are strategies other than " + decides
                            + ", which decides: " + String.join(", ", others));
        }
        return strategies.named(name);
    }

    /** Describes the workers and makes decisions until they are fast. */
    DecisionTimes warmed(Pool pool, Clock clock, Benchmarks benchmarks) {
        DecisionTimes times = new DecisionTimes(pool, clock, workers);
        times.begin();
        benchmarks.progress("warming up " + strategy().name() + " on " + workers + " workers");
        times.warm(WARM);
        return times;
    }

    /** A report that says what was measured. */
    Report report(String benchmark) {
        return new Report()
                .text("benchmark", benchmark)
                .text("policy", strategy().name())
                .number("workers", workers)
                .number("decisions", (long) rounds() * Turns.TURN);
    }

    int rounds() {
        return (decisions + Turns.TURN - 1) / Turns.TURN;
    }

    private void within(String option, int value, int most) {
        if (value < 1 || value > most) {
            throw new ParameterException(
                    spec.commandLine(), "option " + option + " is " + value + ": 1 to " + most + " is allowed");
        }
    }
}
