package io.berth.spi.distribution;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a distribution bundle. Called on a guarded thread of the bundle. */
@ConsumerType
public interface DistributionPolicyFactory {

    /** Cheap, without side effects, always the same. */
    PolicyDescription describe();

    /**
     * Creates an instance for one pool and configuration.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable
     */
    DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
