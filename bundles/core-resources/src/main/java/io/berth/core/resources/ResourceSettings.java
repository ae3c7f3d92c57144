package io.berth.core.resources;

import io.berth.core.api.policy.MatchingRule;

/**
 * What can be configured of the ResourceManager; times in milliseconds.
 *
 * @param requirementCheckDelayMillis changes within it are planned together
 * @param workerRegistrationTimeoutMillis a worker that started and did not register within it is given up
 * @param startupPeriodMillis no notice of missing resources is sent within it
 * @param refusalBackOffMillis how long a worker that refused a slot takes none; doubled with each refusal in a row, up
 *     to a hundred times as long
 */
public record ResourceSettings(
        long heartbeatIntervalMillis,
        long heartbeatTimeoutMillis,
        long workerIdleTimeoutMillis,
        long requirementCheckDelayMillis,
        long workerRegistrationTimeoutMillis,
        long startupPeriodMillis,
        long refusalBackOffMillis,
        long stopTimeoutMillis,
        MatchingRule matchingRule) {

    public ResourceSettings {
        require("heartbeat.interval.ms", heartbeatIntervalMillis, 1);
        if (heartbeatTimeoutMillis <= heartbeatIntervalMillis) {
            throw new IllegalArgumentException("heartbeat.timeout.ms is " + heartbeatTimeoutMillis
                    + ": it must be above heartbeat.interval.ms, which is " + heartbeatIntervalMillis);
        }
        require("worker.idle.timeout.ms", workerIdleTimeoutMillis, 0);
        require("requirement.check.delay.ms", requirementCheckDelayMillis, 0);
        require("worker.registration.timeout.ms", workerRegistrationTimeoutMillis, 1);
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
        builder.workerIdleTimeoutMillis = workerIdleTimeoutMillis;
        builder.requirementCheckDelayMillis = requirementCheckDelayMillis;
        builder.workerRegistrationTimeoutMillis = workerRegistrationTimeoutMillis;
        builder.startupPeriodMillis = startupPeriodMillis;
        builder.refusalBackOffMillis = refusalBackOffMillis;
        builder.stopTimeoutMillis = stopTimeoutMillis;
        builder.matchingRule = matchingRule;
        return builder;
    }

    static ResourceSettings of(ResourcesConfiguration configuration) {
        return new ResourceSettings(
                configuration.heartbeat_interval_ms(),
                configuration.heartbeat_timeout_ms(),
                configuration.worker_idle_timeout_ms(),
                configuration.requirement_check_delay_ms(),
                configuration.worker_registration_timeout_ms(),
                configuration.startup_period_ms(),
                configuration.worker_refusal_backoff_ms(),
                configuration.stop_timeout_ms(),
                rule(configuration.matching_rule()));
    }

    long refusalBackOffMillis(int refusals) {
        return refusalBackOffMillis * Math.min(100, 1L << Math.min(refusals - 1, 7));
    }

    private static MatchingRule rule(String text) {
        return switch (text) {
            case "exact" -> MatchingRule.EXACT;
            case "loose" -> MatchingRule.LOOSE;
            default -> throw new IllegalArgumentException(
                    "matching.rule is '" + text + "': allowed are exact and loose");
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
        private long workerIdleTimeoutMillis = 30_000;
        private long requirementCheckDelayMillis = 50;
        private long workerRegistrationTimeoutMillis = 60_000;
        private long startupPeriodMillis = 5_000;
        private long refusalBackOffMillis = 200;
        private long stopTimeoutMillis = 5_000;
        private MatchingRule matchingRule = MatchingRule.EXACT;

        /** How often heartbeats are sent, and without an answer for how long a peer is given up. */
        public Builder heartbeats(long intervalMillis, long timeoutMillis) {
            heartbeatIntervalMillis = intervalMillis;
            heartbeatTimeoutMillis = timeoutMillis;
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

        public Builder matchingRule(MatchingRule rule) {
            matchingRule = rule;
            return this;
        }

        public ResourceSettings build() {
            return new ResourceSettings(
                    heartbeatIntervalMillis,
                    heartbeatTimeoutMillis,
                    workerIdleTimeoutMillis,
                    requirementCheckDelayMillis,
                    workerRegistrationTimeoutMillis,
                    startupPeriodMillis,
                    refusalBackOffMillis,
                    stopTimeoutMillis,
                    matchingRule);
        }
    }
}
