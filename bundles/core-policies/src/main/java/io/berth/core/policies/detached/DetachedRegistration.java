package io.berth.core.policies.detached;

import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A policy without a framework, as {@link DetachedPolicies} offers it.
 *
 * @param version of its bundle
 */
public record DetachedRegistration(long id, PolicyKind kind, String name, String bundle, String version, Object factory)
        implements Registration {

    /** The candidate that a frame names. */
    public static PolicyCandidate framed(FramedPolicy policy, Object factory, List<ConfigurationKey> keys) {
        DetachedRegistration registration = new DetachedRegistration(
                policy.service(),
                policy.identity().kind(),
                policy.identity().name(),
                policy.identity().bundle(),
                policy.identity().version(),
                factory);
        return registration.candidate(policy.identity().configurationRevision(), policy.configuration(), keys);
    }

    /**
     * The policy with a configuration, which must be valid.
     *
     * @param revision number of the configuration
     */
    public PolicyCandidate candidate(
            long revision, SortedMap<String, String> configuration, List<ConfigurationKey> keys) {
        return new PolicyCandidate(
                id, kind, name, revision, new GivenConfiguration(configuration, keys), this, factory);
    }

    @Override
    public int ranking() {
        return 0;
    }

    @Override
    public SortedMap<String, Object> properties() {
        SortedMap<String, Object> properties = new TreeMap<>();
        properties.put("io.berth.policy.name", name);
        return properties;
    }

    @Override
    public ClassLoader loader() {
        return factory.getClass().getClassLoader();
    }

    @Override
    public Object fetch() {
        return factory;
    }

    @Override
    public void release() {}
}
