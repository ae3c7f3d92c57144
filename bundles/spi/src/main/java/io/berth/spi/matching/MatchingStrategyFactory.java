package io.berth.spi.matching;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/**
 * Registered as a service by a matching bundle. The host calls it in a guarded thread of the bundle, never on a main
 * thread.
 */
@ConsumerType
public interface MatchingStrategyFactory {

    /** Cheap, without side effects, always the same. */
    PolicyDescription describe();

    /**
     * Creates an instance for one owner and configuration.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the instance that decided before
     *     goes on deciding
     */
    MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
