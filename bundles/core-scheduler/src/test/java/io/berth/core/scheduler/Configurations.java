package io.berth.core.scheduler;

import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;

/** Settings for tests: the defaults, with one or two changes. */
public final class Configurations {

    private static final SchedulerConfiguration DEFAULTS = SchedulerConfiguration.DEFAULTS;

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
                DEFAULTS.restart(),
                failures,
                reuse,
                DEFAULTS.registration(),
                DEFAULTS.declareRetryMaxMillis(),
                DEFAULTS.measurementWindowMillis());
    }
}
