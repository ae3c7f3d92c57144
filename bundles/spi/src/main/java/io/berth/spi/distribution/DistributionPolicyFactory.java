package io.berth.spi.distribution;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** A distribution bundle registers it as a service. The host calls it as {@link io.berth.spi} says. */
@ConsumerType
public interface DistributionPolicyFactory {

    /** Cheap, without side effects, always the same result. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates an instance for one pool and configuration, or only to see whether the configuration is acceptable.
     * Therefore it must not acquire anything that has to be released; {@link DistributionPolicy#open} may do that.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the previous instance continues
     *     to decide
     */
    DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
