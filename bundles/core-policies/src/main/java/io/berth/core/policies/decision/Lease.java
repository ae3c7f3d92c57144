package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The generation that decides one round: immutable, so that the round keeps to it whatever comes and goes meanwhile.
 *
 * @param asker for whom it was taken
 * @param session what the policy opened for its owner
 * @param fresh whether it was opened just now, so that it knows everything and needs no delta
 * @param considered all policies of the kind in their order, those that cannot decide included
 * @param note what to say when the choice could not be followed; empty otherwise
 */
record Lease<S>(
        Asker asker,
        PolicyCandidate candidate,
        PolicyIdentity identity,
        S session,
        boolean fresh,
        String note,
        List<PolicyAlternative> considered) {

    private static final int MAX_TOLD = 50;

    /**
     * Who could have decided, and why it was the one who did.
     *
     * @param leftOut what candidates did wrong in this decision, by their service ids
     */
    List<ConsideredPolicy> reported(Map<Long, String> leftOut) {
        List<ConsideredPolicy> told = new ArrayList<>();
        boolean decided = false;
        for (PolicyAlternative one : considered) {
            if (told.size() == MAX_TOLD) {
                break;
            }
            boolean decider = one.id() == candidate.id();
            String verdict = decider
                    ? "decided, generation " + identity.generation()
                    : leftOut.containsKey(one.id())
                            ? "left out of this decision: " + leftOut.get(one.id())
                            : !one.obstacle().isEmpty() ? one.obstacle() : decided ? "came after" : "not asked";
            decided |= decider;
            told.add(
                    new ConsideredPolicy(one.kind(), one.name(), one.bundle(), one.version(), one.revision(), verdict));
        }
        return told;
    }
}
