package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.registration.Asker;
import io.berth.policy.rules.BuilderAccess;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The policies of one kind that may make one decision. Calls the best one in the guard. A policy that fails or breaks
 * a rule is left out, and the decision is made again without it, until no policy is left. Confined to the main thread
 * of the owner.
 *
 * @param <S> what a policy opens for the owner
 */
final class Candidates<S> {

    /** A rule that an answer broke, and in which call. */
    record Violation(PolicyCall call, String text) {}

    private final PolicySource<S> policies;
    private final Asker asker;
    private final DecisionRecord record;
    private final Runnable again;
    private final SortedMap<Long, String> leftOut = new TreeMap<>();

    @SuppressWarnings("NullAway.Init")
    private Lease<S> lease;

    /** @param again makes the decision again */
    Candidates(PolicySource<S> policies, Asker asker, DecisionRecord record, Runnable again) {
        this.policies = policies;
        this.asker = asker;
        this.record = record;
        this.again = again;
    }

    /** @param vacant receives why no policy is left */
    void take(Runnable taken, Consumer<String> vacant) {
        policies.take(
                asker,
                leftOut,
                given -> {
                    lease = given;
                    taken.run();
                },
                vacant);
    }

    /** The generation that was taken last. */
    Lease<S> lease() {
        return lease;
    }

    String name() {
        return lease.candidate().name();
    }

    /**
     * Calls the taken generation.
     *
     * @param builders what the policy answers with; when the call fails or is given up, later uses have no effect
     * @param first the call that the body begins with
     * @param check returns the rule that an answer breaks
     */
    <R> void ask(
            List<BuilderAccess> builders,
            PolicyCall first,
            String what,
            PolicySource.Body<S, R> body,
            Function<R, Optional<Violation>> check,
            Consumer<R> answered) {
        policies.call(
                lease,
                first,
                what,
                body,
                answer -> check.apply(answer).ifPresentOrElse(this::leaveOut, () -> answered.accept(answer)),
                text -> {
                    builders.forEach(BuilderAccess::end);
                    without(text);
                });
    }

    /** Rejects the answer. */
    void leaveOut(Violation violation) {
        policies.violated(lease, violation.call(), violation.text());
        without(violation.text());
    }

    private void without(String text) {
        leftOut.put(lease.candidate().id(), text);
        record.leftOut(lease.candidate() + " " + text);
        again.run();
    }

    boolean hasOther() {
        return policies.hasOther(leftOut);
    }

    /** The current candidate made the decision: adds its notes and all candidates to the record. */
    void decided(long number) {
        policies.decided(lease, number);
        if (!lease.note().isEmpty()) {
            record.notes().add(lease.note());
        }
        policies.takeSlow().ifPresent(record.notes()::add);
        record.candidates().addAll(lease.reported(leftOut));
    }
}
