package io.berth.core.policies.detached;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.guard.Phases;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.core.policies.text.ThrowableText;
import io.berth.policy.rules.PlainText;
import io.berth.spi.InvalidConfigurationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where calls into policies run. A policy gets one call at a time. */
public interface PolicyCalls {

    /**
     * Makes a call. The stage never fails, and may complete on any thread.
     *
     * @param first the call that the body begins with
     * @param what for people
     * @param discard receives a result that nobody takes
     */
    <T> CompletionStage<CallOutcome<T>> call(
            PolicyCandidate policy, PolicyCall first, String what, Guard.Body<T> body, Guard.Discard<T> discard);

    /** Calls at once, on the thread of the caller and without a deadline; for policies that the user of a tool chose. */
    static PolicyCalls direct() {
        return new PolicyCalls() {
            @Override
            public <T> CompletionStage<CallOutcome<T>> call(
                    PolicyCandidate policy,
                    PolicyCall first,
                    String what,
                    Guard.Body<T> body,
                    Guard.Discard<T> discard) {
                return CompletableFuture.completedFuture(outcome(what, body));
            }
        };
    }

    private static <T> CallOutcome<T> outcome(String what, Guard.Body<T> body) {
        try {
            return new CallOutcome.Returned<>(body.call(new Unlimited()));
        } catch (InvalidConfigurationException refused) {
            return new CallOutcome.Refused<>(PlainText.cut(String.valueOf(refused.getMessage())));
        } catch (Exception | LinkageError | StackOverflowError | AssertionError failure) {
            return new CallOutcome.Failed<>(what + " threw " + ThrowableText.of(failure), false);
        }
    }

    /** Without a deadline. */
    final class Unlimited implements Phases {

        @Override
        public void enter(PolicyCall call) {}

        @Override
        public long remainingMillis() {
            return Long.MAX_VALUE;
        }
    }
}
