package io.berth.distribution.fifo;

import io.berth.spi.Policy;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import org.osgi.service.component.annotations.Component;

/** Provides the distribution policy {@code fifo}: order of submission. It is the default. */
@Component(service = DistributionPolicyFactory.class, property = "service.ranking:Integer=100")
@Policy(kind = "distribution", name = "fifo")
public final class FifoFactory implements DistributionPolicyFactory {

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                "fifo", "Submission order: each unit's minimum, then up to what it desires, before the next unit");
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context) {
        return FifoSession::new;
    }
}
