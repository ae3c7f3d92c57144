package io.berth.benchmark;

import io.berth.benchmark.decision.KeptTimes;
import io.berth.benchmark.decision.Policies;
import io.berth.benchmark.decision.Pool;
import io.berth.benchmark.decision.SpinningThread;
import io.berth.benchmark.decision.TailComparison;
import io.berth.benchmark.decision.Turns;
import io.berth.benchmark.report.Report;
import io.berth.core.api.operations.ShadowOperations.ShadowDetails;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.SystemClock;
import io.berth.simulator.policies.ChosenPolicy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/** Measures how long decisions take without a shadow, beside one that follows, and beside those that hang. */
@Command(
        name = "shadow",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Measures how long decisions take for their owner: alone, with another strategy as shadow that follows, with a"
                    + " shadow that hangs and waits, with one that hangs and spins, and beside a plain thread that spins and is"
                    + " no policy. They take turns, so that all see the same machine. Times are in microseconds.",
            "Aims, of the 99.9 %%: with the shadow that waits within 10 %% of alone; with the one that spins, which takes a"
                    + " processor, within 10 %% of the plain thread, which takes one too.",
            TurnOptions.STATISTIC
        })
final class ShadowCommand implements Callable<Integer> {

    private static final List<String> USUAL = List.of("spread", "first-fit");

    private final Clock clock = new SystemClock();

    @ParentCommand
    private Benchmarks benchmarks;

    @Mixin
    private TurnOptions options;

    @Option(
            names = "--shadow",
            paramLabel = "NAME",
            description = "Strategy that follows: another one of this release or of the bundles. Default: spread, or"
                    + " first-fit if spread decides")
    private Optional<String> shadow = Optional.empty();

    @Mixin
    private AimOptions aims;

    @Override
    public Integer call() {
        options.check();
        ChosenPolicy<MatchingStrategyFactory> strategy = options.strategy();
        ChosenPolicy<MatchingStrategyFactory> follows = options.other("--shadow", shadow, USUAL);
        AtomicLong compared = new AtomicLong();
        AtomicLong skipped = new AtomicLong();
        try (Policies policies = Policies.patient(strategy, clock);
                Pool pool = new Pool(policies, strategy.name())) {
            Turns turns = new Turns(options.warmed(pool, clock, benchmarks));
            KeptTimes alone = turns.under("alone", () -> () -> {});
            turns.under("following", () -> {
                policies.shadowOther(follows);
                return () -> {
                    compared.addAndGet(policies.shadow().compared());
                    policies.endShadow();
                };
            });
            KeptTimes waiting = turns.under("hanging", () -> hang(policies, false, skipped));
            KeptTimes spinning = turns.under("spinning", () -> hang(policies, true, skipped));
            KeptTimes thread = turns.under("besideThread", SpinningThread::new);
            turns.take(options.rounds());
            Report report = options.report("shadow").text("shadow", follows.name());
            turns.write(report);
            boolean waitingMet = new TailComparison(waiting, alone).write(report, "hanging");
            boolean spinningMet = new TailComparison(spinning, thread).write(report, "spinning");
            benchmarks.print(
                    report.number("comparedByFollowing", compared.get()).number("skippedByHanging", skipped.get()));
            return aims.exitCode(waitingMet && spinningMet);
        }
    }

    private static Turns.Held hang(Policies policies, boolean spins, AtomicLong skipped) {
        CountDownLatch released = new CountDownLatch(1);
        policies.shadowHanging(released, spins);
        return () -> {
            ShadowDetails shadow = policies.shadow();
            skipped.addAndGet(shadow.skipped());
            policies.endShadow();
            released.countDown();
            if (shadow.failed() > 0) {
                throw new IllegalStateException(
                        "the call of the shadow was given up before the turn ended: " + TurnOptions.SHORTER);
            }
        };
    }
}
