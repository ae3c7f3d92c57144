package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.guard.Phases;
import io.berth.core.policies.registration.Asker;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Where a decision gets the policies of one kind, and how it calls them. The live one is the binding of an owner, which
 * follows the registry and calls in the guard; outside of the live planner a frame says which policies decide. Confined
 * to the main thread of the owner.
 *
 * @param <S> what a policy opens for the owner
 */
public interface PolicySource<S> {

    /** A call into a session. Runs where foreign code may run. */
    interface Body<S, R> {

        /** @param phases must be notified when another call begins than the one that was named first */
        R call(S session, Phases phases) throws Exception;
    }

    /**
     * Leases the best candidate that is not excluded. Candidates that cannot be created become excluded; the lease or
     * the reason of the vacancy says why.
     *
     * @param excluded candidates by their ids, with what they did wrong
     * @param vacant receives why no policy decides
     */
    void take(Asker asker, SortedMap<Long, String> excluded, Consumer<Lease<S>> taken, Consumer<String> vacant);

    /**
     * Calls into the leased generation. A failure is counted and drops the generation.
     *
     * @param first the call that the body begins with
     * @param what for people
     * @param done receives the result
     * @param failed receives why there is none
     */
    <R> void call(
            Lease<S> lease, PolicyCall first, String what, Body<S, R> body, Consumer<R> done, Consumer<String> failed);

    /** Whether there is a candidate that is not excluded beside the leased one. */
    boolean hasOther(SortedMap<Long, String> excluded);

    /** An answer of the generation broke a rule: counts as a failure. */
    void violated(Lease<S> lease, PolicyCall call, String violation);

    /** The leased generation made a decision. */
    void decided(Lease<S> lease, long decision);

    /** The note about a slow call since the last decision, for the decision that it delayed. */
    Optional<String> takeSlow();
}
