package io.berth.scaling.targetrate;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import java.time.Duration;
import java.util.List;

/**
 * The parameters of the policy. Immutable.
 *
 * @param utilization share of time in which the tasks of a vertex should be busy
 * @param low a vertex that is less busy has too many tasks
 * @param high a vertex that is busier has too few
 * @param catchUpMillis in which a backlog should be worked off
 * @param settleMillis after a start, in which figures do not count
 * @param pauseDownMillis least time from a start to a decrease
 * @param maxStepUp by this factor a vertex grows at most at once
 * @param align by this share a parallelism is raised at most to divide the key groups
 * @param retryAfterMillis after an increase that did not help
 * @param waitMillis for slots, see {@link io.berth.policy.support.scaling.PatientJudgement}
 * @param intervalMillis from one look at the figures to the next
 */
record TargetRateSettings(
        double utilization,
        double low,
        double high,
        long catchUpMillis,
        long settleMillis,
        long pauseDownMillis,
        double maxStepUp,
        double align,
        long retryAfterMillis,
        long waitMillis,
        long intervalMillis) {

    static List<ConfigurationKey> keys() {
        return List.of(
                ConfigurationKey.share(
                        "utilization", 0.8, "share of time in which the tasks of a vertex should be busy"),
                ConfigurationKey.share("low", 0.45, "a vertex whose tasks are less busy has too many"),
                ConfigurationKey.share("high", 0.98, "a vertex whose tasks are busier has too few"),
                ConfigurationKey.duration(
                        "catchup",
                        Duration.ofMinutes(10),
                        Duration.ofSeconds(10),
                        Duration.ofDays(1),
                        "time in which the backlog of a source should be worked off"),
                ConfigurationKey.duration(
                        "settle",
                        Duration.ofMinutes(2),
                        Duration.ZERO,
                        Duration.ofHours(1),
                        "time after a start in which figures do not count"),
                ConfigurationKey.duration(
                        "pause.down",
                        Duration.ofMinutes(45),
                        Duration.ZERO,
                        Duration.ofDays(1),
                        "least time from a start of the job to a decrease"),
                ConfigurationKey.decimal(
                        "max.step.up",
                        3,
                        1.1,
                        1_000,
                        "by this factor the parallelism of a vertex grows at most at once"),
                ConfigurationKey.share(
                        "align",
                        0.2,
                        "by this share a parallelism is raised at most so that it divides the key groups"),
                ConfigurationKey.duration(
                        "retry.after",
                        Duration.ofHours(2),
                        Duration.ofMinutes(1),
                        Duration.ofDays(7),
                        "a vertex that did not become faster with more tasks gets no more for so long"),
                ConfigurationKey.duration(
                        "slots.wait",
                        Duration.ofMinutes(5),
                        Duration.ZERO,
                        Duration.ofHours(1),
                        "so long after a start, the job waits for at least half of the slots of an increase"),
                ConfigurationKey.duration(
                        "interval",
                        Duration.ofMinutes(1),
                        Duration.ofSeconds(5),
                        Duration.ofHours(1),
                        "time from one look at the figures to the next"));
    }

    static TargetRateSettings of(PolicyConfiguration configuration) throws InvalidConfigurationException {
        TargetRateSettings settings = new TargetRateSettings(
                configuration.share("utilization"),
                configuration.share("low"),
                configuration.share("high"),
                configuration.duration("catchup").toMillis(),
                configuration.duration("settle").toMillis(),
                configuration.duration("pause.down").toMillis(),
                configuration.decimal("max.step.up"),
                configuration.share("align"),
                configuration.duration("retry.after").toMillis(),
                configuration.duration("slots.wait").toMillis(),
                configuration.duration("interval").toMillis());
        if (settings.low >= settings.utilization) {
            throw rejected(configuration, "low", "less than", settings.utilization);
        }
        if (settings.high <= settings.utilization) {
            throw rejected(configuration, "high", "more than", settings.utilization);
        }
        return settings;
    }

    private static InvalidConfigurationException rejected(
            PolicyConfiguration configuration, String key, String relation, double utilization) {
        return new InvalidConfigurationException(key + " is '" + configuration.text(key) + "': " + relation
                + " utilization, which is " + utilization + ", is allowed");
    }
}
