package io.berth.scaling.steps;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import org.osgi.service.component.annotations.Component;

/** Provides the scaling policy {@code steps}: a step up or down at thresholds of busy share and backlog. */
@Component(service = ScalingPolicyFactory.class, property = "service.ranking:Integer=10")
@Policy(
        kind = "scaling",
        name = "steps",
        configuration = {
            "busy.up",
            "busy.down",
            "vertex.*.busy.up",
            "vertex.*.busy.down",
            "backlog.up",
            "factor",
            "step",
            "pause.up",
            "pause.down",
            "slots.wait",
            "interval"
        })
public final class StepsFactory implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "steps",
                "A step up or down when a vertex is busier or less busy than a threshold, or a source is behind",
                StepsSettings.keys());
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        StepsSettings settings = StepsSettings.of(configuration);
        return job -> new StepsSession(job, settings);
    }
}
