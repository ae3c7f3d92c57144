package io.berth.spi.backend;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a backend bundle. Called on a guarded thread of the bundle. */
@ConsumerType
public interface BackendFactory {

    /** Cheap, without side effects, always the same. */
    PolicyDescription describe();

    /**
     * Creates a backend; nothing is started yet.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable
     */
    Backend create(PolicyConfiguration configuration, BackendContext context) throws InvalidConfigurationException;
}
