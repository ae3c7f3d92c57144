package io.berth.spi.matching;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** Registered as a service by a matching bundle. Called by the host as {@link io.berth.spi} says. */
@ConsumerType
public interface MatchingStrategyFactory {

    /** Cheap, without side effects, always the same. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates an instance for one owner and configuration: for a pool's placement, for a pool's assignments, or only to
     * see whether the configuration is acceptable. So it acquires nothing that would have to be given back; that is for
     * {@link MatchingStrategy#open}.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the instance that decided before
     *     goes on deciding
     */
    MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
