package io.berth.core.policies.registration;

import io.berth.core.api.policy.PolicyIdentity;
import io.berth.spi.PolicyKind;

/**
 * A policy that may decide, as it was when it was selected. Immutable, so that a round keeps to it.
 *
 * @param id service id of its factory
 * @param revision number of its configuration
 */
public record PolicyCandidate(
        long id,
        PolicyKind kind,
        String name,
        long revision,
        GivenConfiguration configuration,
        Registration registration,
        Object factory) {

    public boolean same(PolicyCandidate other) {
        return id == other.id && revision == other.revision;
    }

    public PolicyIdentity identity(long generation) {
        return new PolicyIdentity(kind, name, registration.bundle(), registration.version(), generation, revision);
    }

    @Override
    public String toString() {
        return kind.label() + " " + name + " (" + registration.bundle() + " " + registration.version() + ")";
    }
}
