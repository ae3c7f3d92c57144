package io.berth.spi.backend;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a backend bundle. Called by the host as {@link io.berth.spi} says. */
@ConsumerType
public interface BackendFactory {

    /** Cheap, without side effects, always the same. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates a backend; nothing is started yet, since the backend before it may still run.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the backend before it goes on. Any
     *     other failure of a creation with a changed configuration is taken as such a refusal
     */
    Backend create(PolicyConfiguration configuration, BackendContext context) throws InvalidConfigurationException;
}
