package io.berth.benchmark;

import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.journal.JournalFolder;
import io.berth.benchmark.journal.RecordedTurns;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Measures what it costs to record decisions. */
@Command(
        name = "journal",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures what the journal of decisions costs: processor time of the planner's thread with and without it, in"
                    + " turns, so that both see the same machine; processor time of the thread that encodes and writes; and"
                    + " bytes in the files. Medians of the turns, for one decision. Times are in microseconds.",
            "Each decision places one slot and has two changed units and one changed worker. The files are in the folder for"
                    + " temporary files and are deleted."
        })
final class JournalCommand implements Callable<Integer> {

    private static final int WARM = 2_000;

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private TurnOptions options;

    @Override
    public Integer call() {
        options.check();
        ChosenPolicy<MatchingStrategyFactory> strategy = options.strategy();
        try (Policies policies = new Policies(strategy, clock);
                Pool pool = new Pool(policies, strategy.name());
                JournalFolder journal = new JournalFolder(policies, clock)) {
            RecordedTurns turns = new RecordedTurns(options.warmed(pool, clock, benchmarks), journal);
            turns.warm(WARM);
            turns.take(options.rounds());
            Report report = options.report("journal");
            turns.write(report);
            benchmarks.print(report);
        }
        return 0;
    }
}
