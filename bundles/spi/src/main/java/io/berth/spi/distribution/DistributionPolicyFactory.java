package io.berth.spi.distribution;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a distribution bundle. Called by the host as {@link io.berth.spi} says. */
@ConsumerType
public interface DistributionPolicyFactory {

    /** Cheap, without side effects, always the same. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates an instance for one pool and configuration, or only to see whether the configuration is acceptable. So it
     * acquires nothing that would have to be given back; that is for {@link DistributionPolicy#open}.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the instance that decided before
     *     goes on deciding
     */
    DistributionPolicy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
