package io.berth.scaling.reactive;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.scaling.ScalingPolicy;
import io.berth.spi.scaling.ScalingPolicyFactory;
import org.osgi.service.component.annotations.Component;

/** Provides the scaling policy {@code reactive}: use what the cluster has (FLIP-160). It is the default. */
@Component(service = ScalingPolicyFactory.class, property = "service.ranking:Integer=100")
@Policy(kind = "scaling", name = "reactive")
public final class ReactiveFactory implements ScalingPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "reactive",
                "Requests the maximum of each vertex, runs with the available slots, rescales when they change");
    }

    @Override
    public ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return ReactiveSession::new;
    }
}
