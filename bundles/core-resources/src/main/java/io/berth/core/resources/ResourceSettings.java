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
record ResourceSettings(
        long heartbeatIntervalMillis,
        long heartbeatTimeoutMillis,
        long workerIdleTimeoutMillis,
        long requirementCheckDelayMillis,
        long workerRegistrationTimeoutMillis,
        long startupPeriodMillis,
        long refusalBackOffMillis,
        long stopTimeoutMillis,
        MatchingRule matchingRule) {

    ResourceSettings {
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

    static ResourceSettings defaults() {
        return new ResourceSettings(2_000, 10_000, 30_000, 50, 60_000, 5_000, 200, 5_000, MatchingRule.EXACT);
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
}
