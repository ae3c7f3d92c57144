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
}
