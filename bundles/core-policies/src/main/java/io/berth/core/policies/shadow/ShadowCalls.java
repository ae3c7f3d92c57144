package io.berth.core.policies.shadow;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.detached.PolicyCalls;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.registration.Registration;
import io.berth.core.policies.registry.PolicyRegistry;
import io.berth.spi.PolicyKind;
import java.util.SortedMap;
import java.util.concurrent.CompletionStage;

/**
 * Calls policies in the guard with their deadlines, on threads that deciding instances never use, and under a name of
 * its own in the metrics. Outcomes do not count for the health of the policy.
 */
record ShadowCalls(PolicyRegistry registry, Guard guard) implements PolicyCalls {

    @Override
    public <T> CompletionStage<CallOutcome<T>> call(
            PolicyCandidate policy, PolicyCall first, String what, Guard.Body<T> body, Guard.Discard<T> discard) {
        return guard.call(
                new Apart(policy.registration()), first, what, registry.deadline(policy.registration()), body, discard);
    }

    /** Ends the threads of a policy that is used no more. */
    void end(Registration policy) {
        guard.end(new Apart(policy).guard());
    }

    /** The same policy with other threads and another name. */
    private record Apart(Registration policy) implements Registration {

        @Override
        public long id() {
            return policy.id();
        }

        @Override
        public PolicyKind kind() {
            return policy.kind();
        }

        @Override
        public String name() {
            return policy.name() + " (shadow)";
        }

        @Override
        public String bundle() {
            return policy.bundle();
        }

        @Override
        public String version() {
            return policy.version();
        }

        @Override
        public int ranking() {
            return policy.ranking();
        }

        @Override
        public SortedMap<String, Object> properties() {
            return policy.properties();
        }

        @Override
        public ClassLoader loader() {
            return policy.loader();
        }

        @Override
        public Object fetch() {
            return policy.fetch();
        }

        @Override
        public void release() {
            // Whoever fetched it releases it.
        }

        @Override
        public String guard() {
            return policy.guard() + "-shadow";
        }
    }
}
