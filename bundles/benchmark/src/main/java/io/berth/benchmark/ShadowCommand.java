package io.berth.benchmark;

import io.berth.benchmark.decision.DecisionTimes;
import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.report.Report;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

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

    private static final String SHADOW = "spread";

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private TurnOptions options;

    @Override
    public Integer call() {
        options.check();
        KeptTimes alone = new KeptTimes();
        KeptTimes following = new KeptTimes();
        KeptTimes hanging = new KeptTimes();
        long compared = 0;
        long skipped = 0;
        try (Policies policies = new Policies(TurnOptions.DECIDES, clock);
                Pool pool = new Pool(policies, TurnOptions.DECIDES)) {
            DecisionTimes times = options.warmed(pool, clock, benchmarks);
            for (int turn = 0; turn < options.turns(); turn++) {
                alone.add(times.take(TurnOptions.TURN));
                policies.shadowOther(SHADOW);
                times.warm(TurnOptions.TURN / 10);
                following.add(times.take(TurnOptions.TURN));
                compared += policies.shadow().compared();
                policies.endShadow();
                CountDownLatch released = new CountDownLatch(1);
                policies.shadowHanging(released);
                times.warm(TurnOptions.TURN / 10);
                hanging.add(times.take(TurnOptions.TURN));
                skipped += policies.shadow().skipped();
                policies.endShadow();
                released.countDown();
                times.warm(TurnOptions.TURN / 10);
            }
        }
        Report report = options.report("shadow", alone);
        alone.write(report, "alone");
        following.write(report, "following");
        hanging.write(report, "hanging");
        benchmarks.print(report.number("comparedByFollowing", compared).number("skippedByHanging", skipped));
        return 0;
    }
}
