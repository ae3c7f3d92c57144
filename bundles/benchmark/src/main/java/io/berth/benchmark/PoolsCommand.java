package io.berth.benchmark;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.HangingStrategy;
import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
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
            "Measures how long decisions of first-fit in the default pool take for their owner: alone, beside a pool whose"
                    + " strategy waits for ever in a call, and beside one whose strategy spins in it. The three take turns, so"
                    + " that all see the same machine.",
            "A strategy that spins takes one processor. Times are in microseconds."
        })
final class PoolsCommand implements Callable<Integer> {

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private TurnOptions options;

    @Override
    public Integer call() {
        options.check();
        KeptTimes alone = new KeptTimes();
        KeptTimes waiting = new KeptTimes();
        KeptTimes spinning = new KeptTimes();
        try (Policies policies = new Policies(TurnOptions.DECIDES, clock);
                Pool pool = new Pool(policies, TurnOptions.DECIDES)) {
            DecisionTimes times = options.warmed(pool, clock, benchmarks);
            for (int turn = 0; turn < options.turns(); turn++) {
                alone.add(times.take(TurnOptions.TURN));
                beside(policies, false, times, waiting);
                beside(policies, true, times, spinning);
            }
        }
        Report report = options.report("pools", alone);
        alone.write(report, "alone");
        waiting.write(report, "besideWaiting");
        spinning.write(report, "besideSpinning");
        benchmarks.print(report);
        return 0;
    }

    private static void beside(Policies policies, boolean spins, DecisionTimes times, KeptTimes kept) {
        try (HangingStrategy.Call hanging = policies.hangInAnotherPool(spins)) {
            times.warm(TurnOptions.TURN / 10);
            kept.add(times.take(TurnOptions.TURN));
            if (hanging.hasEnded()) {
                throw new IllegalStateException("the call in the other pool was given up before the turn ended:"
                        + " fewer --workers make turns shorter");
            }
        }
        times.warm(TurnOptions.TURN / 10);
    }
}
