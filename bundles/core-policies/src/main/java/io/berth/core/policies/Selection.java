package io.berth.core.policies;

import java.util.List;

/**
 * Who may decide, in order.
 *
 * @param note what to say when the choice could not be followed; empty otherwise
 */
record Selection(List<Candidate> candidates, String note) {

    Selection {
        candidates = List.copyOf(candidates);
    }

    /** Service id of the one that decides, -1 when nobody does. */
    long first() {
        return candidates.isEmpty() ? -1 : candidates.get(0).id();
    }
}
