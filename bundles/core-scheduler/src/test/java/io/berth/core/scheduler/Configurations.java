package io.berth.core.scheduler;

import io.berth.core.scheduler.job.Restart;
import io.berth.core.scheduler.job.Restart.Delay;
import io.berth.core.scheduler.job.Restart.Strategy;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;

/** Settings for tests: the defaults, with one or two changes. */
public final class Configurations {

    private static final SchedulerConfiguration DEFAULTS = SchedulerConfiguration.DEFAULTS;
    private static final Restart RESTART = DEFAULTS.restart();

    /** The defaults, but a restart comes exactly when its delay is over. */
    public static final SchedulerConfiguration EXACT =
            with(DEFAULTS.resourceWaitTimeoutMillis(), DEFAULTS.heartbeatFailuresMax(), DEFAULTS.slotReuse());

    private Configurations() {}

    public static SchedulerConfiguration with(SlotReuse reuse) {
        return with(DEFAULTS.resourceWaitTimeoutMillis(), DEFAULTS.heartbeatFailuresMax(), reuse);
    }

    public static SchedulerConfiguration heartbeatFailures(int max) {
        return with(DEFAULTS.resourceWaitTimeoutMillis(), max, DEFAULTS.slotReuse());
    }

    static SchedulerConfiguration resourceWait(long millis) {
        return with(millis, DEFAULTS.heartbeatFailuresMax(), DEFAULTS.slotReuse());
    }

    /** Each failure fails the job. */
    static SchedulerConfiguration withoutRestarts() {
        return new SchedulerConfiguration(
                DEFAULTS.heartbeatIntervalMillis(),
                DEFAULTS.heartbeatTimeoutMillis(),
                DEFAULTS.resourceWaitTimeoutMillis(),
                DEFAULTS.resourceStabilization(),
                DEFAULTS.rescaleStabilization(),
                DEFAULTS.slotIdleTimeoutMillis(),
                DEFAULTS.cancelTimeoutMillis(),
                DEFAULTS.rootCauseWaitMillis(),
                new Restart(
                        Strategy.NONE,
                        RESTART.delay(),
                        RESTART.maxAttempts(),
                        RESTART.rate(),
                        RESTART.maxWorkerKills()),
                DEFAULTS.heartbeatFailuresMax(),
                DEFAULTS.slotReuse(),
                DEFAULTS.registration(),
                DEFAULTS.declareRetryMaxMillis(),
                DEFAULTS.measurementWindowMillis());
    }

    private static Restart exact(Restart restart) {
        Delay delay = restart.delay();
        return new Restart(
                restart.strategy(),
                new Delay(delay.initialMillis(), delay.maxMillis(), delay.multiplier(), 0, delay.resetMillis()),
                restart.maxAttempts(),
                restart.rate(),
                restart.maxWorkerKills());
    }

    private static SchedulerConfiguration with(long waitMillis, int failures, SlotReuse reuse) {
        return new SchedulerConfiguration(
                DEFAULTS.heartbeatIntervalMillis(),
                DEFAULTS.heartbeatTimeoutMillis(),
                waitMillis,
                DEFAULTS.resourceStabilization(),
                DEFAULTS.rescaleStabilization(),
                DEFAULTS.slotIdleTimeoutMillis(),
                DEFAULTS.cancelTimeoutMillis(),
                DEFAULTS.rootCauseWaitMillis(),
                exact(RESTART),
                failures,
                reuse,
                DEFAULTS.registration(),
                DEFAULTS.declareRetryMaxMillis(),
                DEFAULTS.measurementWindowMillis());
    }
}
