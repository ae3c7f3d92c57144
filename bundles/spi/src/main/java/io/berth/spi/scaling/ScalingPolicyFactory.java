package io.berth.spi.scaling;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a scaling bundle. Called by the host as {@link io.berth.spi} says. */
@ConsumerType
public interface ScalingPolicyFactory {

    /** Cheap, without side effects, always the same. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates an instance for one job and configuration, or only to see whether the configuration is acceptable. So it
     * acquires nothing that would have to be given back; that is for {@link ScalingPolicy#open}.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the instance that decided before
     *     goes on deciding
     */
    ScalingPolicy create(PolicyConfiguration configuration, PolicyContext context) throws InvalidConfigurationException;
}
