package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyOperations.ConsideredPolicy;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.GivenConfiguration;
import io.berth.core.policies.registration.OwnerContext;
import io.berth.core.policies.registration.PolicyAlternative;
import io.berth.core.policies.registration.PolicyCandidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The generation that decides one round. Immutable, so that changes in the registry do not affect the round.
 *
 * @param asker the owner and job that it was taken for
 * @param configuration that the instance was created with
 * @param context of the instance
 * @param session what the policy opened for its owner
 * @param fresh whether it was just opened, so that it knows the whole state and needs no delta
 * @param considered all policies of the kind in their order, including those that cannot decide
 * @param note why the choice could not be followed; empty otherwise
 */
public record Lease<S>(
        Asker asker,
        PolicyCandidate candidate,
        PolicyIdentity identity,
        GivenConfiguration configuration,
        OwnerContext context,
        S session,
        boolean fresh,
        String note,
        List<PolicyAlternative> considered) {

    private static final int MAX_SHOWN = 50;

    /**
     * Which policies could have decided, and why this one did.
     *
     * @param leftOut what candidates did wrong in this decision, by their service ids
     */
    List<ConsideredPolicy> reported(Map<Long, String> leftOut) {
        List<ConsideredPolicy> told = new ArrayList<>();
        boolean decided = false;
        for (PolicyAlternative one : considered) {
            if (told.size() == MAX_SHOWN) {
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
