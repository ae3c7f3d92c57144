package io.berth.core.policies.registration;

import java.util.List;

/**
 * Who may decide, in order.
 *
 * @param note what to say when the choice could not be followed; empty otherwise
 */
public record Selection(List<PolicyCandidate> candidates, String note) {

    public Selection {
        candidates = List.copyOf(candidates);
    }

    /** Service id of the one that decides, -1 when nobody does. */
    public long first() {
        return candidates.isEmpty() ? -1 : candidates.get(0).id();
    }
}
