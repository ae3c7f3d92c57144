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
 * @param peak share of time in which the tasks that are left may be busy at the most work of the time before a decrease
 * @param high a vertex whose tasks would be at least so busy at its target rate has too few
 * @param catchUpMillis in which a backlog should be worked off
 * @param settleMillis after a start, in which figures do not count
 * @param pauseDownMillis for so long, half of the slots must have been enough before the other half is given up
 * @param maxStepUp by this factor a vertex grows at most at once
 * @param align by this share a parallelism is raised at most to divide the key groups
 * @param retryAfterMillis after an increase that did not help
 * @param waitMillis for slots, see {@link io.berth.policy.support.scaling.PatientJudgement}
 * @param intervalMillis from one look at the figures to the next
 */
record TargetRateSettings(
        double utilization,
        double peak,
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
                ConfigurationKey.share(
                        "peak",
                        0.98,
                        "share of time in which the tasks that are left may be busy at the most work before a decrease"),
                ConfigurationKey.share("high", 1, "a vertex whose tasks would be so busy has too few"),
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
                        Duration.ofMinutes(20),
                        Duration.ZERO,
                        Duration.ofDays(1),
                        "for so long, half of the slots must have been enough before the other half is given up"),
                ConfigurationKey.decimal(
                        "max.step.up",
                        3,
                        1.1,
                        1_000,
                        "by this factor the parallelism of a vertex grows at most at once"),
                ConfigurationKey.share(
                        "align",
                        0.1,
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
                // More would be an increase at once.
                Math.min(configuration.share("peak"), configuration.share("high")),
                configuration.share("high"),
                configuration.duration("catchup").toMillis(),
                configuration.duration("settle").toMillis(),
                configuration.duration("pause.down").toMillis(),
                configuration.decimal("max.step.up"),
                configuration.share("align"),
                configuration.duration("retry.after").toMillis(),
                configuration.duration("slots.wait").toMillis(),
                configuration.duration("interval").toMillis());
        if (settings.high <= settings.utilization) {
            throw new InvalidConfigurationException("high is '" + configuration.text("high")
                    + "': more than utilization, which is " + settings.utilization + ", is allowed");
        }
        return settings;
    }
}
