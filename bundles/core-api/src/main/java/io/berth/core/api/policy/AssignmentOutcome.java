package io.berth.core.api.policy;

import java.util.List;

/** Outcome of an assignment. */
public sealed interface AssignmentOutcome {

    /**
     * @param requirementOfSlot for each slot of the query the index of the requirement it serves, or -1
     */
    record Assigned(long decision, PolicyIdentity matching, List<Integer> requirementOfSlot)
            implements AssignmentOutcome {

        public Assigned {
            requirementOfSlot = List.copyOf(requirementOfSlot);
        }
    }

    /** No strategy could decide. */
    record NotDecided(String reason) implements AssignmentOutcome {}
}
