package io.berth.core.policies.detached;

import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyKind;
import java.util.Optional;

/** Which policies make detached decisions. */
public interface DetachedPolicies {

    /**
     * The policy that decides in place of those that decided. When it is empty for all kinds that take part, decisions are made
     * again exactly: with the recorded instances, at the recorded points, without calls that failed.
     */
    Optional<PolicyCandidate> inPlaceOf(PolicyKind kind);

    /**
     * The policy of a frame: its factory (for example a {@code MatchingStrategyFactory}) and
     * the keys that it describes, with the configuration of the frame. Its service id must be that of the frame.
     *
     * @return empty when it is not there; {@link #missing} says why
     */
    Optional<PolicyCandidate> framed(FramedPolicy policy);

    /** Why a policy of a frame is not there, and what to do about it. */
    String missing(FramedPolicy policy);
}
