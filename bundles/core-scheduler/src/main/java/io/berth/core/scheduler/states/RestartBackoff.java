package io.berth.core.scheduler.states;

import io.berth.core.scheduler.job.SchedulerConfiguration.Restart;
import java.util.OptionalLong;

/**
 * Exponential restart back-off (FLIP-160, section FailureHandler). The loss of a worker delays like any failure but is
 * not counted against the job: only what its own tasks do can make it fail for good.
 */
public final class RestartBackoff {

    private final Restart configuration;
    private double delay;
    private int attempts;

    public RestartBackoff(Restart configuration) {
        this.configuration = configuration;
        this.delay = configuration.initialDelayMillis();
    }

    /**
     * Notes a failure.
     *
     * @param lastedMillis how long the execution lasted that failed
     * @param ownFault whether a task failed, and not a worker was lost
     * @return the delay before the restart; empty when the job is not restarted any more
     */
    public OptionalLong failed(long lastedMillis, boolean ownFault) {
        if (lastedMillis >= configuration.resetMillis()) {
            delay = configuration.initialDelayMillis();
            attempts = 0;
        }
        if (ownFault) {
            if (configuration.maxAttempts() >= 0 && attempts >= configuration.maxAttempts()) {
                return OptionalLong.empty();
            }
            attempts++;
        }
        long current = (long) delay;
        delay = Math.min(configuration.maxDelayMillis(), delay * configuration.multiplier());
        return OptionalLong.of(current);
    }

    /** How many failures of its own the job had without progress. */
    public int attempts() {
        return attempts;
    }
}
