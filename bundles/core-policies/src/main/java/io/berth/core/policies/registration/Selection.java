package io.berth.core.policies.registration;

import java.util.List;

/**
 * The policies that may decide, in order.
 *
 * @param chosen kind and selector
 * @param obstacle why the choice could not be followed; empty otherwise
 */
public record Selection(List<PolicyCandidate> candidates, String chosen, String obstacle) {

    public Selection {
        candidates = List.copyOf(candidates);
    }

    /** Text about a choice that could not be followed; empty otherwise. */
    public String note() {
        return obstacle.isEmpty() ? "" : chosen + " was chosen but " + obstacle;
    }

    /** Service id of the deciding one, -1 when there is none. */
    public long first() {
        return candidates.isEmpty() ? -1 : candidates.get(0).id();
    }
}
