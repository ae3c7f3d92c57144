package io.berth.core.policies;

import io.berth.core.api.policy.PolicyIdentity;
import java.util.List;

/**
 * The generation that decides one round: immutable, so that the round keeps to it whatever comes and goes meanwhile.
 *
 * @param session what the policy opened for its owner
 * @param fresh whether it was opened just now, so that it knows everything and needs no delta
 * @param considered all policies of the kind in their order, those that cannot decide included
 * @param note what to say when the choice could not be followed; empty otherwise
 */
record Lease<S>(
        Candidate candidate,
        PolicyIdentity identity,
        S session,
        boolean fresh,
        String note,
        List<Considered> considered) {}
