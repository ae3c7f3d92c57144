package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.policies.frame.FrameDraft;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.registration.Asker;
import io.berth.spi.PolicyKind;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Consumer;

/**
 * Notes in a frame what the host finds out about policies while it makes one decision. Confined to the main thread of the
 * planner.
 */
final class ObservedSource<S> implements PolicySource<S> {

    private final PolicyKind kind;
    private final PolicySource<S> policies;
    private final FrameDraft frame;
    private int calls;

    ObservedSource(PolicyKind kind, PolicySource<S> policies, FrameDraft frame) {
        this.kind = kind;
        this.policies = policies;
        this.frame = frame;
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
                    frame.add(kind, new PolicyStep.Taken(framed(lease), lease.fresh()));
                    taken.accept(lease);
                },
                text -> {
                    frame.add(kind, new PolicyStep.Vacant(text));
                    vacant.accept(text);
                });
    }

    @Override
    public <R> void call(
            Lease<S> lease, PolicyCall first, String what, Body<S, R> body, Consumer<R> done, Consumer<String> failed) {
        int number = calls++;
        policies.call(lease, first, what, body, done, text -> {
            frame.add(kind, new PolicyStep.CallFailed(number, text));
            failed.accept(text);
        });
    }

    @Override
    public boolean hasOther(SortedMap<Long, String> excluded) {
        boolean ready = policies.hasOther(excluded);
        frame.add(kind, new PolicyStep.Other(ready));
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
