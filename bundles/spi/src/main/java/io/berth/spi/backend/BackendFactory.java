package io.berth.spi.backend;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** A backend bundle registers it as a service. The host calls it as {@link io.berth.spi} says. */
@ConsumerType
public interface BackendFactory {

    /** Cheap, without side effects, always the same result. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates a backend. It must not start anything yet, because the previous backend may still run.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the previous backend continues.
     *     Any other failure to create a backend with a changed configuration counts as a rejection too
     */
    Backend create(PolicyConfiguration configuration, BackendContext context) throws InvalidConfigurationException;
}
