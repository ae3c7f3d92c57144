package io.berth.core.policies.registration;

import java.util.List;

/**
 * Who may decide, in order.
 *
 * @param chosen kind and selector
 * @param obstacle why the choice could not be followed; empty otherwise
 */
public record Selection(List<PolicyCandidate> candidates, String chosen, String obstacle) {

    public Selection {
        candidates = List.copyOf(candidates);
    }

    /** What to say when the choice could not be followed; empty otherwise. */
    public String note() {
        return obstacle.isEmpty() ? "" : chosen + " was chosen but " + obstacle;
    }

    /** Service id of the one that decides, -1 when nobody does. */
    public long first() {
        return candidates.isEmpty() ? -1 : candidates.get(0).id();
    }
}
