package io.berth.core.resources.settings;

import io.berth.core.api.heartbeat.HeartbeatSettings;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.time.Backoff;

/**
 * What can be configured of the ResourceManager; times in milliseconds.
 *
 * @param heartbeatFailures calls to a peer that fail one after the other until it is given up; 0: only the time-out counts
 * @param requirementCheckDelayMillis changes within it are planned together
 * @param workerRegistrationTimeoutMillis a worker that started and did not register within it is given up
 * @param startFailuresPerMinute with more, no worker is asked of the backend for the pause
 * @param previousWorkersWaitMillis for how long any but the very first ResourceManager waits at most for the workers of
 *     the previous one before it plans; never shorter than {@link #recoveryMillis()} allows, and 0 where no worker
 *     outlives its ResourceManager
 * @param requirementsRetentionMillis how long requirements of a lost JobMaster hold
 * @param startupPeriodMillis no notice of missing resources is sent within it
 * @param refusalBackOffMillis how long a worker that refused a slot takes none, and a job that refused one is granted
 *     none; doubled with each refusal in a row, up to a hundred times as long
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
        long stopTimeoutMillis,
        ClusterLimits limits,
        MatchingRule matchingRule) {

    private static final int MAX_START_FAILURES = 10_000;
    /** What workers need to find the next ResourceManager, with a dead one among the addresses, and to register there. */
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
        require("stop.timeout.ms", stopTimeoutMillis, 0);
    }

    /** What holds without any configuration. */
    public static ResourceSettings defaults() {
        return new Builder().build();
    }

    /** A builder that begins with these. */
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
                configuration.stop_timeout_ms(),
                ClusterLimits.of(configuration),
                rule(configuration.matching_rule()));
    }

    /**
     * How long workers of the previous ResourceManager have to register at most, in milliseconds; 0 when none are waited
     * for. Some notice its loss by heartbeats only, and just then begin to search: it is never shorter than the time-out
     * of heartbeats, one interval and what search and registration take.
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
     * How long a worker has to register that its backend found running, in milliseconds: as long as one that was registered
     * may be silent, and at least as long as plans wait for it.
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

    /** Makes settings; what is not given has its default. */
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
        private long stopTimeoutMillis = 5_000;
        private ClusterLimits limits = ClusterLimits.NONE;
        private MatchingRule matchingRule = MatchingRule.EXACT;

        /** How often heartbeats are sent, and without an answer for how long a peer is given up. */
        public Builder heartbeats(long intervalMillis, long timeoutMillis) {
            heartbeatIntervalMillis = intervalMillis;
            heartbeatTimeoutMillis = timeoutMillis;
            return this;
        }

        /** How many calls in a row fail until a peer is given up; 0: only the time-out counts. */
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

        /** With more failures in a minute, no worker is asked of a backend for a while. */
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
                    stopTimeoutMillis,
                    limits,
                    matchingRule);
        }
    }
}
