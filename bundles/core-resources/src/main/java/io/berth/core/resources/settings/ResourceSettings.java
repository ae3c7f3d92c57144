package io.berth.core.resources.settings;

import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.time.Backoff;

/**
 * The configuration of the ResourceManager; times in milliseconds.
 *
 * @param heartbeatFailures failed calls in a row after which a peer is lost; 0: only the timeout counts
 * @param requirementCheckDelayMillis changes within it are planned together
 * @param workerRegistrationTimeoutMillis a started worker that does not register within it is given up
 * @param startFailuresPerMinute with more failed starts, requests to the backend are paused
 * @param previousWorkersWaitMillis how long a ResourceManager waits at most for the workers of the previous one before
 *     it plans; see {@link #recoveryMillis()}; 0 if no worker outlives its ResourceManager
 * @param requirementsRetentionMillis how long the requirements of a lost JobMaster are kept
 * @param startupPeriodMillis no notice of missing resources is sent within it
 * @param refusalBackOffMillis how long a worker or job that refused a slot receives none; doubled with each refusal in
 *     a row, up to a hundred times as long
 * @param slotReturnPauseMillis how long a job that was asked to return slots is not asked again
 */
public record ResourceSettings(
        long heartbeatIntervalMillis,
        long heartbeatTimeoutMillis,
        int heartbeatFailures,
        long workerIdleTimeoutMillis,
        long requirementCheckDelayMillis,
        long workerRegistrationTimeoutMillis,
        int startFailuresPerMinute,
        long startPauseMillis,
        long previousWorkersWaitMillis,
        long requirementsRetentionMillis,
        long startupPeriodMillis,
        long refusalBackOffMillis,
        long slotReturnPauseMillis,
        long stopTimeoutMillis,
        ClusterLimits limits,
        MatchingRule matchingRule) {

    private static final int MAX_START_FAILURES = 10_000;
    /** How long workers need to find the next ResourceManager among the addresses and to register there. */
    private static final long SEARCH_MILLIS = 5_000;

    public ResourceSettings {
        require("heartbeat.interval.ms", heartbeatIntervalMillis, 1);
        if (heartbeatTimeoutMillis <= heartbeatIntervalMillis) {
            throw new IllegalArgumentException("heartbeat.timeout.ms is " + heartbeatTimeoutMillis
                    + ": it must be above heartbeat.interval.ms, which is " + heartbeatIntervalMillis);
        }
        require("heartbeat.failures", heartbeatFailures, 0);
        require("worker.idle.timeout.ms", workerIdleTimeoutMillis, 0);
        require("requirement.check.delay.ms", requirementCheckDelayMillis, 0);
        require("worker.registration.timeout.ms", workerRegistrationTimeoutMillis, 1);
        require("worker.start.failures.per.minute", startFailuresPerMinute, 1);
        if (startFailuresPerMinute > MAX_START_FAILURES) {
            throw new IllegalArgumentException("worker.start.failures.per.minute is " + startFailuresPerMinute
                    + ": at most " + MAX_START_FAILURES + " is allowed");
        }
        require("worker.start.pause.ms", startPauseMillis, 1);
        require("previous.workers.wait.ms", previousWorkersWaitMillis, 0);
        require("requirements.retention.ms", requirementsRetentionMillis, 0);
        require("startup.period.ms", startupPeriodMillis, 0);
        require("worker.refusal.backoff.ms", refusalBackOffMillis, 1);
        require("slot.return.pause.ms", slotReturnPauseMillis, 1);
        require("stop.timeout.ms", stopTimeoutMillis, 0);
    }

    /** The default settings. */
    public static ResourceSettings defaults() {
        return new Builder().build();
    }

    /** A builder with these settings. */
    public Builder toBuilder() {
        Builder builder = new Builder();
        builder.heartbeatIntervalMillis = heartbeatIntervalMillis;
        builder.heartbeatTimeoutMillis = heartbeatTimeoutMillis;
        builder.heartbeatFailures = heartbeatFailures;
        builder.workerIdleTimeoutMillis = workerIdleTimeoutMillis;
        builder.requirementCheckDelayMillis = requirementCheckDelayMillis;
        builder.workerRegistrationTimeoutMillis = workerRegistrationTimeoutMillis;
        builder.startFailuresPerMinute = startFailuresPerMinute;
        builder.startPauseMillis = startPauseMillis;
        builder.previousWorkersWaitMillis = previousWorkersWaitMillis;
        builder.requirementsRetentionMillis = requirementsRetentionMillis;
        builder.startupPeriodMillis = startupPeriodMillis;
        builder.refusalBackOffMillis = refusalBackOffMillis;
        builder.slotReturnPauseMillis = slotReturnPauseMillis;
        builder.stopTimeoutMillis = stopTimeoutMillis;
        builder.limits = limits;
        builder.matchingRule = matchingRule;
        return builder;
    }

    public static ResourceSettings of(ResourcesConfiguration configuration) {
        return new ResourceSettings(
                configuration.heartbeat_interval_ms(),
                configuration.heartbeat_timeout_ms(),
                configuration.heartbeat_failures(),
                configuration.worker_idle_timeout_ms(),
                configuration.requirement_check_delay_ms(),
                configuration.worker_registration_timeout_ms(),
                configuration.worker_start_failures_per_minute(),
                configuration.worker_start_pause_ms(),
                configuration.previous_workers_wait_ms(),
                configuration.requirements_retention_ms(),
                configuration.startup_period_ms(),
                configuration.worker_refusal_backoff_ms(),
                configuration.slot_return_pause_ms(),
                configuration.stop_timeout_ms(),
                ClusterLimits.of(configuration),
                rule(configuration.matching_rule()));
    }

    /**
     * How long workers of the previous ResourceManager have to register at most, in milliseconds; 0: no wait. Some
     * workers notice the loss only by heartbeats and then start to search. So it is at least the heartbeat timeout, one
     * interval, and the time for search and registration.
     */
    public long recoveryMillis() {
        return previousWorkersWaitMillis == 0
                ? 0
                : Math.max(previousWorkersWaitMillis, heartbeatTimeoutMillis + heartbeatIntervalMillis + SEARCH_MILLIS);
    }

    public HeartbeatSettings heartbeat() {
        return new HeartbeatSettings(heartbeatIntervalMillis, heartbeatTimeoutMillis, heartbeatFailures);
    }

    /**
     * How long a worker that its backend found running has to register, in milliseconds: at least the heartbeat
     * timeout, and at least as long as plans wait for it.
     */
    public long leftoverMillis() {
        return Math.max(recoveryMillis(), heartbeatTimeoutMillis);
    }

    public long refusalBackOffMillis(int refusals) {
        return Backoff.millisAfter(refusals, refusalBackOffMillis, 100 * refusalBackOffMillis);
    }

    private static MatchingRule rule(String text) {
        return switch (text) {
            case "exact" -> MatchingRule.EXACT;
            case "loose" -> MatchingRule.LOOSE;
            default ->
                throw new IllegalArgumentException("matching.rule is '" + text + "': allowed are exact and loose");
        };
    }

    private static void require(String key, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(key + " is " + value + ": at least " + least + " is allowed");
        }
    }

    /** Builds settings; a setting that is not given has its default. */
    public static final class Builder {

        private long heartbeatIntervalMillis = 2_000;
        private long heartbeatTimeoutMillis = 10_000;
        private int heartbeatFailures = 2;
        private long workerIdleTimeoutMillis = 30_000;
        private long requirementCheckDelayMillis = 50;
        private long workerRegistrationTimeoutMillis = 60_000;
        private int startFailuresPerMinute = 10;
        private long startPauseMillis = 3_000;
        private long previousWorkersWaitMillis = 17_000;
        private long requirementsRetentionMillis;
        private long startupPeriodMillis = 5_000;
        private long refusalBackOffMillis = 200;
        private long slotReturnPauseMillis = 30_000;
        private long stopTimeoutMillis = 5_000;
        private ClusterLimits limits = ClusterLimits.NONE;
        private MatchingRule matchingRule = MatchingRule.EXACT;

        /** How often heartbeats are sent, and how long a peer may be silent. */
        public Builder heartbeats(long intervalMillis, long timeoutMillis) {
            heartbeatIntervalMillis = intervalMillis;
            heartbeatTimeoutMillis = timeoutMillis;
            return this;
        }

        /** How many failed calls in a row make a peer lost; 0: only the timeout counts. */
        public Builder heartbeatFailures(int threshold) {
            heartbeatFailures = threshold;
            return this;
        }

        public Builder workerIdleTimeoutMillis(long millis) {
            workerIdleTimeoutMillis = millis;
            return this;
        }

        public Builder requirementCheckDelayMillis(long millis) {
            requirementCheckDelayMillis = millis;
            return this;
        }

        public Builder workerRegistrationTimeoutMillis(long millis) {
            workerRegistrationTimeoutMillis = millis;
            return this;
        }

        /** With more failed starts in a minute, requests to the backend are paused. */
        public Builder startFailures(int mostPerMinute, long pauseMillis) {
            startFailuresPerMinute = mostPerMinute;
            startPauseMillis = pauseMillis;
            return this;
        }

        public Builder previousWorkersWaitMillis(long millis) {
            previousWorkersWaitMillis = millis;
            return this;
        }

        public Builder requirementsRetentionMillis(long millis) {
            requirementsRetentionMillis = millis;
            return this;
        }

        public Builder startupPeriodMillis(long millis) {
            startupPeriodMillis = millis;
            return this;
        }

        public Builder refusalBackOffMillis(long millis) {
            refusalBackOffMillis = millis;
            return this;
        }

        public Builder slotReturnPauseMillis(long millis) {
            slotReturnPauseMillis = millis;
            return this;
        }

        public Builder stopTimeoutMillis(long millis) {
            stopTimeoutMillis = millis;
            return this;
        }

        public Builder limits(ClusterLimits clusterLimits) {
            limits = clusterLimits;
            return this;
        }

        public Builder matchingRule(MatchingRule rule) {
            matchingRule = rule;
            return this;
        }

        public ResourceSettings build() {
            return new ResourceSettings(
                    heartbeatIntervalMillis,
                    heartbeatTimeoutMillis,
                    heartbeatFailures,
                    workerIdleTimeoutMillis,
                    requirementCheckDelayMillis,
                    workerRegistrationTimeoutMillis,
                    startFailuresPerMinute,
                    startPauseMillis,
                    previousWorkersWaitMillis,
                    requirementsRetentionMillis,
                    startupPeriodMillis,
                    refusalBackOffMillis,
                    slotReturnPauseMillis,
                    stopTimeoutMillis,
                    limits,
                    matchingRule);
        }
    }
}
