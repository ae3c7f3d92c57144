package io.berth.itests.policy;

import io.berth.distribution.fifo.FifoFactory;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.distribution.DistributionPolicy;
import io.berth.spi.distribution.DistributionPolicyFactory;
import java.util.List;

/** First in, first out under another name, with a number to configure. */
public final class SoakDistribution implements DistributionPolicyFactory {

    private final String name;
    private final FifoFactory fifo = new FifoFactory();

    public SoakDistribution() {
        name = SoakName.read();
    }

    @Override
    public PolicyDescription describe() {
        return new PolicyDescription(
                name,
                "First in, first out under another name",
                List.of(ConfigurationKey.number("step", 0, 0, Integer.MAX_VALUE, "any number")));
    }

    @Override
    public DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        configuration.number("step");
        return fifo.create(configuration, context);
    }
}
