package io.berth.scaling.targetrate;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import org.osgi.service.component.annotations.Component;

/** Provides the scaling policy {@code target-rate}: as many tasks as the rate of records needs (DS2). */
@Component(service = ScalingPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(
        kind = "scaling",
        name = "target-rate",
        configuration = {
            "utilization",
            "peak",
            "high",
            "catchup",
            "settle",
            "pause.down",
            "max.step.up",
            "align",
            "retry.after",
            "slots.wait",
            "interval"
        })
public final class TargetRateFactory implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "target-rate",
                "As many tasks as the rate of records needs, from what a busy task of each vertex processes",
                TargetRateSettings.keys());
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        TargetRateSettings settings = TargetRateSettings.of(configuration);
        return job -> new TargetRateSession(job, settings);
    }
}
