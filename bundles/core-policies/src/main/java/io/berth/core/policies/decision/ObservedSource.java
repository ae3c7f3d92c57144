package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.frame.RecordedTime;
import io.berth.core.policies.frame.TimeAnswers;
import io.berth.core.policies.registration.Asker;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Notes for a frame what the host finds out about policies while it makes one decision. Confined to the main thread of the
 * decider.
 */
final class ObservedSource<S> implements PolicySource<S> {

    private final PolicySource<S> policies;
    private final Consumer<PolicyStep> steps;
    private int calls;

    /** @param steps receives what is found out */
    ObservedSource(PolicySource<S> policies, Consumer<PolicyStep> steps) {
        this.policies = policies;
        this.steps = steps;
    }

    private static FramedPolicy framed(Lease<?> lease) {
        return new FramedPolicy(
                lease.identity(),
                lease.candidate().id(),
                lease.configuration().entries(),
                lease.context().seed(),
                lease.context().deadlineMillis());
    }

    @Override
    public void take(Asker asker, SortedMap<Long, String> excluded, Consumer<Lease<S>> taken, Consumer<String> vacant) {
        policies.take(
                asker,
                excluded,
                lease -> {
                    steps.accept(new PolicyStep.Taken(framed(lease), lease.fresh()));
                    taken.accept(lease);
                },
                text -> {
                    steps.accept(new PolicyStep.Vacant(text));
                    vacant.accept(text);
                });
    }

    @Override
    public <R> void call(
            Lease<S> lease, PolicyCall first, String what, Body<S, R> body, Consumer<R> done, Consumer<String> failed) {
        int number = calls++;
        record Timed<R>(R value, TimeAnswers answers) {}
        policies.<Timed<R>>call(
                lease,
                first,
                what,
                (session, phases) -> {
                    RecordedTime time = new RecordedTime(lease.context().time());
                    lease.context().time(time);
                    return new Timed<>(body.call(session, phases), time.answers());
                },
                timed -> {
                    if (!timed.answers().isNone()) {
                        steps.accept(new PolicyStep.TimeRead(number, timed.answers()));
                    }
                    done.accept(timed.value());
                },
                text -> {
                    steps.accept(new PolicyStep.CallFailed(number, text));
                    failed.accept(text);
                });
    }

    @Override
    public boolean hasOther(SortedMap<Long, String> excluded) {
        boolean ready = policies.hasOther(excluded);
        steps.accept(new PolicyStep.Other(ready));
        return ready;
    }

    @Override
    public void violated(Lease<S> lease, PolicyCall call, String violation) {
        policies.violated(lease, call, violation);
    }

    @Override
    public void decided(Lease<S> lease, long decision) {
        policies.decided(lease, decision);
    }

    @Override
    public Optional<String> takeSlow() {
        return policies.takeSlow();
    }
}
