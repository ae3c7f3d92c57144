package io.berth.scaling.minimalincrease;

import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import java.time.Duration;
import java.util.List;
import org.osgi.service.component.annotations.Component;

/** Provides the scaling policy {@code minimal-increase}: rescale when enough more slots are there (FLIP-160). */
@Component(service = ScalingPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(
        kind = "scaling",
        name = "minimal-increase",
        configuration = {"increase", "cooldown", "small.increase.after"})
public final class MinimalIncreaseFactory implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "minimal-increase",
                "Requests the maximum of each vertex, rescales when enough more slots are there, and not too often",
                List.of(
                        ConfigurationKey.number(
                                "increase",
                                1,
                                1,
                                100_000,
                                "so many more tasks, over all vertices, are worth a restart; or all up to the maximum"),
                        ConfigurationKey.duration(
                                "cooldown",
                                Duration.ofMinutes(5),
                                Duration.ZERO,
                                Duration.ofDays(1),
                                "least time from one rescale to the next"),
                        ConfigurationKey.duration(
                                "small.increase.after",
                                Duration.ofHours(1),
                                Duration.ZERO,
                                Duration.ofDays(1),
                                "a smaller increase is made so long after the last rescale; 0: never")));
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        long increase = configuration.number("increase");
        Duration cooldown = configuration.duration("cooldown");
        Duration smallAfter = configuration.duration("small.increase.after");
        if (!smallAfter.isZero() && smallAfter.compareTo(cooldown) < 0) {
            throw new InvalidConfigurationException("small.increase.after is '"
                    + configuration.text("small.increase.after")
                    + "': 0, or at least the cooldown of " + configuration.text("cooldown") + ", is allowed");
        }
        return job -> new MinimalIncreaseSession(job, increase, cooldown.toMillis(), smallAfter.toMillis());
    }
}
