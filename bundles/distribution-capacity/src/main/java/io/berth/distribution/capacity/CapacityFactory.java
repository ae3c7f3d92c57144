package io.berth.distribution.capacity;

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
import java.util.OptionalLong;
import org.osgi.service.component.annotations.Component;

/** Provides the distribution policy {@code capacity}: guarantees, borrowing and limits of queues. */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(kind = "distribution", name = "capacity")
public final class CapacityFactory implements DistributionPolicyFactory {

    private static final String RECLAIM = "reclaim";
    private static final String RECLAIM_AFTER = "reclaim.after";
    private static final String RECLAIM_DESIRED = "reclaim.desired";

    @Override
    public PolicyDescription describe() {
        List<ConfigurationKey> keys = new ArrayList<>();
        keys.add(ConfigurationKey.flag(
                RECLAIM,
                true,
                "whether jobs of queues above their guarantee are asked to return slots above their minimum for a queue"
                        + " below its guarantee"));
        keys.add(ConfigurationKey.duration(
                RECLAIM_AFTER,
                Duration.ofMinutes(1),
                Duration.ZERO,
                Duration.ofDays(1),
                "slots are reclaimed for a unit that has waited so long for its minimum, or has had it for so long"
                        + " and desires more"));
        keys.add(ConfigurationKey.flag(
                RECLAIM_DESIRED,
                false,
                "whether slots are also reclaimed for units that have their minimum and desire more within the guarantee of"
                        + " their queue"));
        keys.addAll(WaitLimit.Limits.keys());
        return new PolicyDescription(
                "capacity", "What is guaranteed to queues first, then what others leave, up to the limits", keys);
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        boolean reclaim = configuration.flag(RECLAIM);
        for (String key : List.of(RECLAIM_AFTER, RECLAIM_DESIRED)) {
            if (!reclaim && configuration.entries().containsKey(key)) {
                throw new InvalidConfigurationException(key + " is '" + configuration.text(key) + "' and " + RECLAIM
                        + " is false: without " + key + ", or with " + RECLAIM + " = true is allowed");
            }
        }
        boolean forDesired = configuration.flag(RECLAIM_DESIRED);
        OptionalLong reclaimAfter =
                reclaim ? OptionalLong.of(configuration.duration(RECLAIM_AFTER).toMillis()) : OptionalLong.empty();
        WaitLimit.Limits limits = WaitLimit.Limits.of(configuration);
        return demands -> new CapacitySession(demands, reclaimAfter, forDesired, limits);
    }
}
