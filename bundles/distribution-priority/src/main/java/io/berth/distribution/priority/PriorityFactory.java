package io.berth.distribution.priority;

import io.berth.policy.support.distribution.WaitLimit;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the distribution policy {@code priority}: order of priority, which grows while a unit waits. */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "distribution", name = "priority")
public final class PriorityFactory implements DistributionPolicyFactory {

    private static final String AGING_INTERVAL = "aging.interval";
    private static final String AGING_LIMIT = "aging.limit";
    private static final String RECLAIM = "reclaim";

    @Override
    public PolicyDescription describe() {
        List<ConfigurationKey> keys = new ArrayList<>();
        keys.add(ConfigurationKey.duration(
                AGING_INTERVAL,
                Duration.ofHours(1),
                Duration.ZERO,
                Duration.ofDays(365),
                "the priority of a unit is one higher for each time that it has waited so long for its minimum; 0: it does"
                        + " not grow"));
        keys.add(ConfigurationKey.number(
                AGING_LIMIT, 100, 0, 1_000_000, "the priority of a unit grows by this at most while it waits"));
        keys.add(ConfigurationKey.flag(
                RECLAIM,
                false,
                "whether jobs are asked to return slots above their minimum for a unit of higher priority that lacks its"
                        + " minimum"));
        keys.addAll(WaitLimit.Limits.keys());
        return new PolicyDescription(
                "priority", "Priority, which grows with the wait, then submission order; no unit waits forever", keys);
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        long intervalMillis = configuration.duration(AGING_INTERVAL).toMillis();
        if (intervalMillis == 0 && configuration.entries().containsKey(AGING_LIMIT)) {
            throw new InvalidConfigurationException(AGING_LIMIT + " is '" + configuration.text(AGING_LIMIT) + "' and "
                    + AGING_INTERVAL + " is 0, with which priorities do not grow: without " + AGING_LIMIT
                    + ", or with an interval above 0 is allowed");
        }
        PrioritySession.Settings settings = new PrioritySession.Settings(
                intervalMillis,
                configuration.number(AGING_LIMIT),
                configuration.flag(RECLAIM),
                WaitLimit.Limits.of(configuration));
        return demands -> new PrioritySession(demands, settings);
    }
}
