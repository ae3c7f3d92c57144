package io.berth.core.scheduler.states;

import io.berth.core.api.time.Backoff;
import io.berth.core.scheduler.execution.ExecutionTask.Blame;
import io.berth.core.scheduler.job.SchedulerConfiguration.Restart;
import java.util.Collection;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Exponential restart back-off (FLIP-160, section FailureHandler). The loss of a worker delays like any failure but is
 * not counted against the job, unless the same task loses its worker repeatedly: then the task probably crashes its
 * workers.
 */
public final class RestartBackoff {

    private final Restart configuration;
    private final Backoff delays;
    private int attempts;
    private SortedMap<String, Integer> workersLost = new TreeMap<>();

    public RestartBackoff(Restart configuration) {
        this.configuration = configuration;
        this.delays = new Backoff(
                configuration.initialDelayMillis(), configuration.maxDelayMillis(), configuration.multiplier());
    }

    /**
     * The delay before the restart after a failure.
     *
     * @param lastedMillis how long the failed execution lasted
     */
    public long nextDelay(long lastedMillis) {
        if (lastedMillis >= configuration.resetMillis()) {
            delays.reset();
            attempts = 0;
            workersLost.clear();
        }
        return delays.next();
    }

    /**
     * Counts a failure whose cause is known.
     *
     * @param lostWithWorkers names of tasks that were lost with their workers
     * @return why the job is not restarted; empty when it is
     */
    public Optional<String> count(Blame blame, Collection<String> lostWithWorkers) {
        SortedMap<String, Integer> inARow = new TreeMap<>();
        lostWithWorkers.forEach(task -> inARow.put(task, workersLost.getOrDefault(task, 0) + 1));
        workersLost = inARow;
        if (blame == Blame.JOB) {
            return Optional.of("not restarted, another attempt would fail in the same way");
        }
        if (blame == Blame.TASK && isOver(attempts++, configuration.maxAttempts())) {
            return Optional.of("failed again after " + configuration.maxAttempts() + " restarts without progress");
        }
        return lostWithWorkers.stream()
                .filter(task -> isOver(Objects.requireNonNull(inARow.get(task)) - 1, configuration.maxWorkerKills()))
                .findFirst()
                .map(task -> "task " + task + " has lost its worker in " + inARow.get(task)
                        + " executions in a row, so it may be what ends them, by an OutOfMemoryError or System.exit:"
                        + " see the logs of these workers (task.worker.kills.max is " + configuration.maxWorkerKills()
                        + ")");
    }

    private static boolean isOver(int before, int max) {
        return max >= 0 && before >= max;
    }
}
