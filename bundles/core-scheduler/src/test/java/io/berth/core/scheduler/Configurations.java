package io.berth.core.scheduler;

import io.berth.core.api.policy.MatchingRule;
import io.berth.core.scheduler.job.SchedulerConfiguration;
import io.berth.core.scheduler.job.SchedulerConfiguration.SlotReuse;

/** Settings for tests: the defaults but for one or two. */
public final class Configurations {

    private static final SchedulerConfiguration DEFAULTS = SchedulerConfiguration.DEFAULTS;

    private Configurations() {}

    public static SchedulerConfiguration with(MatchingRule rule, SlotReuse reuse) {
        return with(DEFAULTS.resourceWaitTimeoutMillis(), rule, DEFAULTS.heartbeatFailuresMax(), reuse);
    }

    public static SchedulerConfiguration heartbeatFailures(int most) {
        return with(DEFAULTS.resourceWaitTimeoutMillis(), DEFAULTS.matchingRule(), most, DEFAULTS.slotReuse());
    }

    static SchedulerConfiguration resourceWait(long millis) {
        return with(millis, DEFAULTS.matchingRule(), DEFAULTS.heartbeatFailuresMax(), DEFAULTS.slotReuse());
    }

    private static SchedulerConfiguration with(long waitMillis, MatchingRule rule, int failures, SlotReuse reuse) {
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
                rule,
                failures,
                reuse,
                DEFAULTS.registration());
    }
}
