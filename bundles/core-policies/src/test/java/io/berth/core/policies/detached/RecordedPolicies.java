package io.berth.core.policies.detached;

import io.berth.core.policies.FakeRegistration;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.ConfigurationKey;
import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;

/**
 * The policies that were registered while frames were recorded, with the configurations of the frames.
 *
 * @param keys that all of them describe
 * @param candidate in place of the deciding one; empty for none
 */
record RecordedPolicies(
        List<FakeRegistration> registered, List<ConfigurationKey> keys, Optional<PolicyCandidate> candidate)
        implements DetachedPolicies {

    @Override
    public Optional<PolicyCandidate> inPlaceOf(PolicyKind kind) {
        return candidate.filter(policy -> policy.kind() == kind);
    }

    @Override
    public Optional<PolicyCandidate> framed(FramedPolicy policy) {
        return registered.stream()
                .filter(one -> one.id() == policy.service())
                .map(one -> DetachedRegistration.framed(policy, one.fetch(), keys))
                .findFirst();
    }

    @Override
    public String missing(FramedPolicy policy) {
        return policy.identity() + " is missing";
    }
}
