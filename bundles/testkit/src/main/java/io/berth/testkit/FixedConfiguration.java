package io.berth.testkit;

import io.berth.spi.InvalidConfigurationException;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyDescription;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Configurations as the host passes them to a policy. */
public final class FixedConfiguration {

    private FixedConfiguration() {}

    /** For a policy without configuration keys. */
    public static PolicyConfiguration empty() {
        return PolicyConfiguration.of(new TreeMap<>(), List.of());
    }

    /**
     * For a policy with this description.
     *
     * @throws InvalidConfigurationException when the host would reject it before it calls the policy
     */
    public static PolicyConfiguration of(PolicyDescription description, Map<String, String> entries)
            throws InvalidConfigurationException {
        List<String> problems = description.problems(new TreeMap<>(entries));
        if (!problems.isEmpty()) {
            throw new InvalidConfigurationException(String.join("; ", problems));
        }
        return PolicyConfiguration.of(new TreeMap<>(entries), description.configuration());
    }
}
