package io.berth.core.scheduler.states;

import io.berth.core.api.time.Backoff;
import io.berth.core.api.time.TimeText;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.job.Restart.Strategy;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * When a failed job restarts, and whether (FLIP-160, section FailureHandler). The loss of a worker delays like any
 * failure but is not counted against the job, unless the same task loses its worker repeatedly: then the task probably
 * crashes its workers.
 */
public final class RestartBackoff {

    private final Restart configuration;
    private final Backoff delays;
    private final SplittableRandom random;
    private final Deque<Long> failedMillis = new ArrayDeque<>();
    private int attempts;
    private SortedMap<String, Integer> workersLost = new TreeMap<>();

    /** @param seed of the jitter */
    public RestartBackoff(Restart configuration, long seed) {
        this.configuration = configuration;
        this.delays = new Backoff(
                configuration.delay().initialMillis(),
                configuration.delay().maxMillis(),
                configuration.strategy() == Strategy.EXPONENTIAL
                        ? configuration.delay().multiplier()
                        : 1);
        this.random = new SplittableRandom(seed);
    }

    /**
     * The delay before the restart after a failure.
     *
     * @param lastedMillis how long the failed execution lasted
     */
    public long nextDelay(long lastedMillis) {
        if (lastedMillis >= configuration.delay().resetMillis()) {
            delays.reset();
            attempts = 0;
            workersLost.clear();
        }
        long delay = delays.next();
        double jitter = configuration.strategy() == Strategy.EXPONENTIAL
                ? configuration.delay().jitter()
                : 0;
        return jitter == 0
                ? delay
                : Math.min(
                        configuration.delay().maxMillis(),
                        Math.round(delay * (1 + jitter * (2 * random.nextDouble() - 1))));
    }

    /**
     * Counts a failure whose cause is known.
     *
     * @param lostWithWorkers names of tasks that were lost with their workers
     * @param nowMillis monotonic
     * @return why the job is not restarted; empty when it is
     */
    public Optional<String> count(Blame blame, Collection<String> lostWithWorkers, long nowMillis) {
        SortedMap<String, Integer> inARow = new TreeMap<>();
        lostWithWorkers.forEach(task -> inARow.put(task, workersLost.getOrDefault(task, 0) + 1));
        workersLost = inARow;
        Optional<String> over = countOfPart(blame, nowMillis);
        return over.or(() -> lostWithWorkers.stream()
                .filter(task -> isOver(Objects.requireNonNull(inARow.get(task)) - 1, configuration.maxWorkerKills()))
                .findFirst()
                .map(task -> "task " + task + " has lost its worker in " + inARow.get(task)
                        + " executions in a row, so it may be what ends them, by an OutOfMemoryError or System.exit:"
                        + " see the logs of these workers (task.worker.kills.max is " + configuration.maxWorkerKills()
                        + ")"));
    }

    /** Counts a failure of tasks that are restarted while others go on. The other parameters are those of {@link #count}. */
    public Optional<String> countOfPart(Blame blame, long nowMillis) {
        if (blame == Blame.JOB) {
            return Optional.of("not restarted, another attempt would fail in the same way");
        }
        if (configuration.strategy() == Strategy.NONE) {
            return Optional.of("not restarted, as restart.strategy is none");
        }
        return blame == Blame.TASK ? tooOften(nowMillis) : Optional.empty();
    }

    private Optional<String> tooOften(long nowMillis) {
        if (configuration.strategy() != Strategy.RATE) {
            return isOver(attempts++, configuration.maxAttempts())
                    ? Optional.of("failed again after " + configuration.maxAttempts() + " restarts without progress")
                    : Optional.empty();
        }
        long interval = configuration.rate().intervalMillis();
        failedMillis.addLast(nowMillis);
        while (failedMillis.getFirst() <= nowMillis - interval) {
            failedMillis.removeFirst();
        }
        return failedMillis.size() > configuration.rate().maxFailures()
                ? Optional.of("failed " + failedMillis.size() + (failedMillis.size() == 1 ? " time" : " times")
                        + " within " + TimeText.of(interval) + " (restart.rate.failures.max is "
                        + configuration.rate().maxFailures() + ")")
                : Optional.empty();
    }

    private static boolean isOver(int before, int max) {
        return max >= 0 && before >= max;
    }
}
