package io.berth.core.policies.registry;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyDescription;
import io.berth.spi.PolicyKind;
import io.berth.spi.backend.BackendFactory;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.scaling.ScalingPolicyFactory;

/** Calls that the four kinds of factory have in common. Runs in the guard. */
final class Factories {

    private Factories() {}

    static PolicyDescription describe(PolicyKind kind, Object factory) {
        return switch (kind) {
            case MATCHING -> ((MatchingStrategyFactory) factory).describe();
            case DISTRIBUTION -> ((DistributionPolicyFactory) factory).describe();
            case SCALING -> ((ScalingPolicyFactory) factory).describe();
            case BACKEND -> ((BackendFactory) factory).describe();
        };
    }

    /**
     * Creates an instance to see whether the factory accepts the configuration. Backends are tried by their follower.
     */
    static boolean tryOut(PolicyKind kind, Object factory, PolicyConfiguration configuration, PolicyContext context)
            throws InvalidConfigurationException {
        Object created = switch (kind) {
            case MATCHING -> ((MatchingStrategyFactory) factory).create(configuration, context);
            case DISTRIBUTION -> ((DistributionPolicyFactory) factory).create(configuration, context);
            case SCALING -> ((ScalingPolicyFactory) factory).create(configuration, context);
            case BACKEND -> factory;
        };
        return created != null;
    }
}
