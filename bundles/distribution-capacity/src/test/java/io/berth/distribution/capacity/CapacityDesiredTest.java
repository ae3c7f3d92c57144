package io.berth.distribution.capacity;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.testkit.DistributionPolicyContract;
import io.berth.testkit.FixedConfiguration;
import java.util.Map;

/** The contract, with slots reclaimed at once for what is desired. */
class CapacityDesiredTest implements DistributionPolicyContract {

    @Override
    public DistributionPolicyFactory factory() {
        CapacityFactory factory = new CapacityFactory();
        Map<String, String> configuration = Map.of("reclaim.desired", "true", "reclaim.after", "0 s");
        return new DistributionPolicyFactory() {
            @Override
            public PolicyDescription describe() {
                return factory.describe();
            }

            @Override
            public DistributionPolicy create(PolicyConfiguration ignored, PolicyContext context)
                    throws InvalidConfigurationException {
                return factory.create(FixedConfiguration.of(factory.describe(), configuration), context);
            }
        };
    }
}
