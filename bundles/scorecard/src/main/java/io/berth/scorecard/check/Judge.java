package io.berth.scorecard.check;

import io.berth.spi.InvalidConfigurationException;
import io.berth.testkit.rules.BrokenRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/**
 * Runs the checks of one policy on a thread of their own. A check that does not end in time is cut, and the rest is not
 * checked: the policy may hang in a call, and such a call is not made twice. The thread is left to itself then.
 */
public final class Judge {

    private static final String NOT_CHECKED = "not checked, because an earlier check did not end";

    private final long limitMillis;

    /** @param limitMillis for each check */
    public Judge(long limitMillis) {
        this.limitMillis = limitMillis;
    }

    /**
     * Blocks until all checks have ended or were cut.
     *
     * @param begins receives each check before it runs
     */
    public List<Mark> judge(List<Check> checks, Consumer<Check> begins) {
        ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
            Thread checking = new Thread(work, "berth-scorecard-check");
            checking.setDaemon(true);
            return checking;
        });
        try {
            List<Mark> marks = new ArrayList<>();
            boolean hangs = false;
            for (Check check : checks) {
                if (hangs) {
                    marks.add(nothing(check, NOT_CHECKED, OptionalInt.empty()));
                    continue;
                }
                begins.accept(check);
                Future<Check.Found> run = thread.submit(() -> check.rule().check());
                try {
                    marks.add(mark(check, run.get(limitMillis, TimeUnit.MILLISECONDS)));
                } catch (ExecutionException failed) {
                    marks.add(
                            broken(check, Optional.ofNullable(failed.getCause()).orElse(failed)));
                } catch (TimeoutException cut) {
                    hangs = true;
                    run.cancel(true);
                    marks.add(nothing(
                            check,
                            "did not end within " + limitMillis / 1_000.0 + " s, and was cut",
                            OptionalInt.empty()));
                }
            }
            return marks;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while a policy was checked", interrupted);
        } finally {
            thread.shutdownNow();
        }
    }

    private static Mark mark(Check check, Check.Found found) {
        int points = Math.max(0, check.points() - found.lost());
        return new Mark(check, points, found.reason(), OptionalInt.empty(), found.figure());
    }

    private static Mark broken(Check check, Throwable thrown) {
        if (thrown instanceof InvalidConfigurationException refused) {
            return nothing(check, "does not accept its own defaults: " + refused.getMessage(), OptionalInt.empty());
        }
        OptionalInt seed = thrown instanceof BrokenRule broken ? broken.seed() : OptionalInt.empty();
        return nothing(check, BrokenRule.reason(thrown), seed);
    }

    private static Mark nothing(Check check, String reason, OptionalInt seed) {
        return new Mark(check, 0, reason, seed, "");
    }
}
