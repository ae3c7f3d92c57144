package io.berth.core.api.policy;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import java.util.List;
import java.util.OptionalLong;

/** Outcome of an assignment. */
public sealed interface AssignmentOutcome {

    /**
     * @param requirementOfSlot for each slot of the query, the index of the requirement that it fulfills, or -1
     * @param reviewAfterMillis when the strategy asks for another query at the latest
     */
    record Assigned(
            long decision, PolicyIdentity matching, List<Integer> requirementOfSlot, OptionalLong reviewAfterMillis)
            implements AssignmentOutcome {

        public Assigned {
            requirementOfSlot = List.copyOf(requirementOfSlot);
        }
    }

    /** No strategy could decide. */
    record NotDecided(Reason why) implements AssignmentOutcome {

        public NotDecided(String text) {
            this(Reason.of(ReasonCode.PLANNING_FAILED, text));
        }

        /** The reason in one line. */
        public String reason() {
            return why.line();
        }
    }
}
