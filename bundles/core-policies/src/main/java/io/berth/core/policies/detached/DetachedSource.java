package io.berth.core.policies.detached;

import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.policies.decision.Lease;
import io.berth.core.policies.decision.PolicySource;
import io.berth.core.policies.frame.DecisionFrame;
import io.berth.core.policies.frame.FramedPolicy;
import io.berth.core.policies.frame.PolicyStep;
import io.berth.core.policies.frame.RepeatedTime;
import io.berth.core.policies.frame.TimeAnswers;
import io.berth.core.policies.guard.CallOutcome;
import io.berth.core.policies.guard.Guard;
import io.berth.core.policies.guard.Phases;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.OwnerContext;
import io.berth.core.policies.registration.PolicyCandidate;
import io.berth.spi.PolicyConfiguration;
import io.berth.spi.PolicyContext;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The policies of one kind of a detached decider: those of the frames, or one in their place. Keeps the open instance
 * over decisions, as the live one does. Confined to the executor of the decider.
 */
final class DetachedSource<S> implements PolicySource<S> {

    /** Creates an instance and opens it. Runs where foreign code may run. */
    interface Opener<S> {
        S open(Object factory, PolicyConfiguration configuration, PolicyContext context) throws Exception;
    }

    /** Closes a session. Runs where foreign code may run. */
    interface Closer<S> {
        void close(S session) throws Exception;
    }

    private record Instance<S>(PolicyCandidate candidate, PolicyIdentity identity, OwnerContext context, S session) {}

    private static final long DEADLINE_MILLIS = 60_000;

    private final PolicyKind kind;
    private final DetachedPolicies policies;
    private final Surroundings surroundings;
    private final Opener<S> opener;
    private final Closer<S> closer;
    private Optional<Instance<S>> current = Optional.empty();
    private Deque<PolicyStep> steps = new ArrayDeque<>();
    /** Whether the steps of the frame are followed exactly. */
    private boolean exact;

    private Optional<FramedPolicy> decider = Optional.empty();
    private final List<String> failures = new ArrayList<>();
    private int calls;
    private long callNanos;

    DetachedSource(
            PolicyKind kind, DetachedPolicies policies, Surroundings surroundings, Opener<S> opener, Closer<S> closer) {
        this.kind = kind;
        this.policies = policies;
        this.surroundings = surroundings;
        this.opener = opener;
        this.closer = closer;
    }

    /** A decision begins. */
    void begin(List<PolicyStep> recorded, boolean again) {
        steps = new ArrayDeque<>(recorded);
        exact = again;
        decider = DecisionFrame.decider(recorded).or(() -> decider);
        failures.clear();
        calls = 0;
        callNanos = 0;
    }

    /** Opens the instance that was opened before the input of the frame, on the same state. */
    void openAhead(List<Long> open, Runnable done) {
        Optional<FramedPolicy> ahead = exact
                ? steps.stream()
                        .filter(PolicyStep.Taken.class::isInstance)
                        .map(step -> ((PolicyStep.Taken) step).policy())
                        .findFirst()
                        .filter(policy -> open.contains(policy.identity().generation()) && !isCurrent(policy))
                : Optional.empty();
        if (ahead.isEmpty()) {
            done.run();
            return;
        }
        open(ahead.get(), made -> done.run(), failure -> done.run());
    }

    /** Opens the instance that decides, so that it can be asked what it uses. */
    void prepare(Runnable done) {
        Optional<PolicyCandidate> given = policies.inPlaceOf(kind);
        if (given.isPresent() && current.isEmpty()) {
            open(given.get(), inPlace(given.get()), 0, DEADLINE_MILLIS, made -> done.run(), failure -> done.run());
        } else {
            done.run();
        }
    }

    Optional<S> session() {
        return current.map(Instance::session);
    }

    Optional<PolicyIdentity> identity() {
        return current.map(Instance::identity);
    }

    List<String> failures() {
        return failures;
    }

    long callNanos() {
        return callNanos;
    }

    private boolean isCurrent(FramedPolicy policy) {
        return current.filter(instance -> instance.identity().equals(policy.identity()))
                .isPresent();
    }

    @Override
    public void take(Asker asker, SortedMap<Long, String> excluded, Consumer<Lease<S>> taken, Consumer<String> vacant) {
        if (exact) {
            takeAgain(asker, taken, vacant);
            return;
        }
        Optional<PolicyCandidate> given = policies.inPlaceOf(kind);
        if (given.isEmpty() && decider.isEmpty()) {
            vacant.accept("no policy of kind " + kind.label() + " decided");
        } else if (excluded.containsKey(given.map(PolicyCandidate::id)
                .orElseGet(() -> decider.orElseThrow().service()))) {
            vacant.accept("the policy of kind " + kind.label() + " failed");
        } else if (given.isPresent()) {
            PolicyIdentity identity = inPlace(given.get());
            if (current.filter(instance -> instance.identity().equals(identity)).isPresent()) {
                taken.accept(lease(asker, current.get(), false));
            } else {
                open(given.get(), identity, 0, DEADLINE_MILLIS, made -> taken.accept(lease(asker, made, true)), vacant);
            }
        } else {
            take(asker, decider.get(), taken, vacant);
        }
    }

    private void takeAgain(Asker asker, Consumer<Lease<S>> taken, Consumer<String> vacant) {
        PolicyStep step = steps.poll();
        if (step instanceof PolicyStep.Taken recorded) {
            if (recorded.fresh()) {
                // An equal identity may be that of an earlier process.
                drop();
            }
            take(asker, recorded.policy(), taken, vacant);
        } else if (step instanceof PolicyStep.Vacant none) {
            vacant.accept(none.text());
        } else {
            String text = "the recorded decision asked no further policy of kind " + kind.label();
            failures.add(text);
            vacant.accept(text);
        }
    }

    private void take(Asker asker, FramedPolicy policy, Consumer<Lease<S>> taken, Consumer<String> vacant) {
        if (isCurrent(policy)) {
            taken.accept(lease(asker, current.orElseThrow(), false));
        } else {
            open(policy, made -> taken.accept(lease(asker, made, true)), vacant);
        }
    }

    private static PolicyIdentity inPlace(PolicyCandidate candidate) {
        return candidate.identity(0);
    }

    private void open(FramedPolicy policy, Consumer<Instance<S>> opened, Consumer<String> failed) {
        Optional<PolicyCandidate> found = policies.framed(policy);
        if (found.isEmpty()) {
            drop();
            String text = policies.missing(policy);
            failures.add(text);
            failed.accept(text);
            return;
        }
        open(found.get(), policy.identity(), policy.seed(), policy.deadlineMillis(), opened, failed);
    }

    private void open(
            PolicyCandidate candidate,
            PolicyIdentity identity,
            long seed,
            long deadlineMillis,
            Consumer<Instance<S>> opened,
            Consumer<String> failed) {
        drop();
        OwnerContext context = surroundings.context(seed, deadlineMillis);
        call(
                candidate,
                PolicyCall.CREATE,
                "create for " + context.owner(),
                phases -> entered(
                        context,
                        phases,
                        () -> opener.open(
                                candidate.factory(), candidate.configuration().read(), context)),
                this::closeUnused,
                session -> {
                    Instance<S> made = new Instance<>(candidate, identity, context, session);
                    current = Optional.of(made);
                    opened.accept(made);
                },
                text -> {
                    failures.add(candidate + " " + text);
                    failed.accept(candidate + " " + text);
                });
    }

    private void closeUnused(@Nullable S session) throws Exception {
        if (session != null) {
            closer.close(session);
        }
    }

    /** A policy that returns nothing fails. */
    private <T> void call(
            PolicyCandidate candidate,
            PolicyCall first,
            String what,
            Guard.Body<T> body,
            Guard.Discard<T> discard,
            Consumer<T> done,
            Consumer<String> failed) {
        long begunNanos = surroundings.nanos();
        surroundings
                .calls()
                .call(candidate, first, what, body, discard)
                .whenComplete((outcome, never) -> surroundings.execute(() -> {
                    callNanos += surroundings.nanos() - begunNanos;
                    if (outcome instanceof CallOutcome.Returned<T> returned && returned.value() != null) {
                        done.accept(returned.value());
                    } else if (outcome instanceof CallOutcome.Failed<T> failure) {
                        failed.accept(failure.text());
                    } else if (outcome instanceof CallOutcome.Refused<T> refused) {
                        failed.accept("refuses its configuration: " + refused.message());
                    } else {
                        failed.accept(what + " returned nothing");
                    }
                }));
    }

    private static <R> R entered(OwnerContext context, Phases phases, Callable<R> call) throws Exception {
        context.entered(() -> Math.min(context.deadlineMillis(), phases.remainingMillis()));
        try {
            return call.call();
        } finally {
            context.left();
        }
    }

    @Override
    public <R> void call(
            Lease<S> lease, PolicyCall first, String what, Body<S, R> body, Consumer<R> done, Consumer<String> failed) {
        int number = calls++;
        if (exact && steps.peek() instanceof PolicyStep.CallFailed failure && failure.call() == number) {
            steps.remove();
            drop();
            failed.accept(failure.text());
            return;
        }
        Optional<TimeAnswers> answers = answers(number);
        call(
                lease.candidate(),
                first,
                what,
                phases -> entered(lease.context(), phases, () -> {
                    OwnerContext context = lease.context();
                    answers.ifPresent(recorded -> context.time(new RepeatedTime(recorded, context.time())));
                    return body.call(lease.session(), phases);
                }),
                late -> {},
                done,
                text -> {
                    failures.add(lease.candidate() + " " + text);
                    drop();
                    failed.accept(text);
                });
    }

    /** What the recorded call read from the clock, if it did. */
    private Optional<TimeAnswers> answers(int call) {
        if (exact && steps.peek() instanceof PolicyStep.TimeRead read && read.call() == call) {
            steps.remove();
            return Optional.of(read.answers());
        }
        return Optional.empty();
    }

    private Lease<S> lease(Asker asker, Instance<S> instance, boolean fresh) {
        return new Lease<>(
                asker,
                instance.candidate(),
                instance.identity(),
                instance.candidate().configuration(),
                instance.context(),
                instance.session(),
                fresh,
                "",
                List.of());
    }

    @Override
    public boolean hasOther(SortedMap<Long, String> excluded) {
        if (exact && steps.peek() instanceof PolicyStep.Other other) {
            steps.remove();
            return other.ready();
        }
        return false;
    }

    @Override
    public void violated(Lease<S> lease, PolicyCall call, String violation) {
        if (!exact) {
            failures.add(lease.candidate() + " " + violation);
        }
        drop();
    }

    @Override
    public void decided(Lease<S> lease, long decision) {}

    @Override
    public Optional<String> takeSlow() {
        return Optional.empty();
    }

    /** Closes the open instance. */
    void drop() {
        Optional<Instance<S>> dropped = current;
        current = Optional.empty();
        dropped.ifPresent(instance -> surroundings
                .calls()
                .call(
                        instance.candidate(),
                        PolicyCall.CLOSE,
                        "close",
                        phases -> {
                            closer.close(instance.session());
                            return true;
                        },
                        closed -> {}));
    }
}
