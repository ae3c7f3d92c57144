package io.berth.spi.matching;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import org.osgi.annotation.versioning.ConsumerType;

/** A matching bundle registers it as a service. The host calls it as {@link io.berth.spi} says. */
@ConsumerType
public interface MatchingStrategyFactory {

    /** Cheap, without side effects, always the same result. Called once after the service was registered. */
    PolicyDescription describe();

    /**
     * Creates an instance for one owner and configuration: for the placement of a pool, for the assignments of a pool,
     * or only to see whether the configuration is acceptable. Therefore it must not acquire anything that has to be
     * released; {@link MatchingStrategy#openPlacement} and {@link
     * MatchingStrategy#openAssignment} may do that.
     *
     * @throws InvalidConfigurationException when the configuration is not acceptable; the previous instance continues
     *     to decide
     */
    MatchingStrategy create(PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException;
}
