package io.berth.benchmark;

import io.berth.benchmark.decision.HangingStrategy;
import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.SpinningThread;
import io.berth.benchmark.decision.TailComparison;
import io.berth.benchmark.decision.Turns;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/** Measures how long decisions of one pool take beside another pool whose strategy does not answer. */
@Command(
        name = "pools",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how long decisions in the default pool take for their owner: alone, beside a pool whose strategy waits"
                    + " for ever in a call, beside one whose strategy spins in it, and beside a plain thread that spins and is"
                    + " no policy. They take turns, so that all see the same machine. Times are in microseconds.",
            "Aims, of the 99.9 %%: beside the strategy that waits within 10 %% of alone; beside the one that spins, which takes"
                    + " a processor, within 10 %% of the plain thread, which takes one too.",
            TurnOptions.STATISTIC
        })
final class PoolsCommand implements Callable<Integer> {

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private TurnOptions options;

    @Mixin
    private AimOptions aims;

    @Override
    public Integer call() {
        options.check();
        ChosenPolicy<MatchingStrategyFactory> strategy = options.strategy();
        try (Policies policies = Policies.patient(strategy, clock);
                Pool pool = new Pool(policies, strategy.name())) {
            Turns turns = new Turns(options.warmed(pool, clock, benchmarks));
            KeptTimes alone = turns.under("alone", () -> () -> {});
            KeptTimes waiting = turns.under("besideWaiting", () -> beside(policies, false));
            KeptTimes spinning = turns.under("besideSpinning", () -> beside(policies, true));
            KeptTimes thread = turns.under("besideThread", SpinningThread::new);
            turns.take(options.rounds());
            Report report = options.report("pools");
            turns.write(report);
            boolean waitingMet = new TailComparison(waiting, alone).write(report, "besideWaiting");
            boolean spinningMet = new TailComparison(spinning, thread).write(report, "besideSpinning");
            benchmarks.print(report);
            return aims.exitCode(waitingMet && spinningMet);
        }
    }

    private static Turns.Held beside(Policies policies, boolean spins) {
        HangingStrategy.Call hanging = policies.hangInAnotherPool(spins);
        return () -> {
            boolean ended = hanging.hasEnded();
            hanging.close();
            if (ended) {
                throw new IllegalStateException(
                        "the call in the other pool was given up before the turn ended: " + TurnOptions.SHORTER);
            }
        };
    }
}
