package io.berth.core.policies.registration;

import io.berth.spi.PolicyKind;
import java.util.List;
import java.util.Optional;

/**
 * The policies that may decide, in order.
 *
 * @param preferred the first one that is not quarantined; a quarantined one may be tried before it
 * @param selector the choice; blank if there is none
 * @param index of the common choice; 0 if the owner has a choice of its own
 * @param obstacle why the choice could not be followed; empty otherwise
 */
public record Selection(
        PolicyKind kind,
        List<PolicyCandidate> candidates,
        Optional<PolicyCandidate> preferred,
        String selector,
        long index,
        String obstacle) {

    public Selection {
        candidates = List.copyOf(candidates);
    }

    /** Text about a choice that could not be followed; empty otherwise. */
    public String note() {
        return obstacle.isEmpty() ? "" : kind.label() + " " + selector + " was chosen but " + obstacle;
    }

    /** Service id of the deciding one, -1 when there is none. */
    public long first() {
        return candidates.isEmpty() ? -1 : candidates.get(0).id();
    }
}
