package io.berth.core.policies.decision;

import io.berth.core.api.time.MainThread;
import io.berth.spi.PolicyKind;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one decision after another for one owner on a main thread of its own, and follows the registry between them.
 * Each request is answered: when it was decided, when its decision failed, or when the queue was closed.
 *
 * @param <I> input of a decision
 * @param <O> outcome of a decision
 */
final class DecisionQueue<I, O> {

    private static final Logger LOG = LoggerFactory.getLogger(DecisionQueue.class);

    /** Makes the decisions. Confined to the main thread of the queue. */
    interface Decider<I> {

        /**
         * Starts a decision, which ends with {@link DecisionQueue#finish}.
         *
         * @param dueNanos when it was requested
         * @param startedNanos since when it could have been made, had a policy been available
         */
        void decide(I input, long dueNanos, long startedNanos);

        /** A decision has ended; its owner does not know yet. */
        default void ended() {}

        /** No decision follows. */
        default void closed() {}
    }

    private record Request<I, O>(I input, long dueNanos, CompletableFuture<O> outcome) {}

    private final String name;
    private final Services services;
    private final Set<PolicyKind> kinds;
    private final Function<String, O> notDecided;
    private final Runnable changed;
    private final Decider<I> decider;
    private final MainThread main;
    private final Runnable listener = this::registryChanged;
    private final Deque<Request<I, O>> waiting = new ArrayDeque<>();
    private List<PolicyBinding<?>> bindings = List.of();
    private boolean prepares;
    private Optional<Request<I, O>> current = Optional.empty();
    private boolean recheckDue;
    /** Policies that are opened between decisions. What they see must not change meanwhile. */
    private int preparing;
    /** Since when a request waits for {@link #preparing}. */
    private OptionalLong heldSinceNanos = OptionalLong.empty();

    private boolean closed;

    /**
     * @param name of the owner, for people
     * @param kinds of the policies that take part
     * @param notDecided makes an outcome from the reason why there is no decision
     * @param changed called when another policy decides from now on, so that the owner may request a decision again
     */
    DecisionQueue(
            String name,
            Services services,
            Set<PolicyKind> kinds,
            Function<String, O> notDecided,
            Runnable changed,
            Decider<I> decider) {
        this.name = name;
        this.services = services;
        this.kinds = kinds;
        this.notDecided = notDecided;
        this.changed = changed;
        this.decider = decider;
        this.main = services.mainThreads().apply(name, this::failed);
    }

    MainThread main() {
        return main;
    }

    /** @param ahead whether the next policy is opened between decisions */
    void begin(boolean ahead, PolicyBinding<?>... asked) {
        prepares = ahead;
        bindings = List.of(asked);
        services.registry().listen(listener);
    }

    CompletionStage<O> submit(I input) {
        Request<I, O> request = new Request<>(input, services.clock().nanos(), new CompletableFuture<>());
        main.call(() -> {
                    if (closed) {
                        request.outcome().complete(closedOutcome());
                        return false;
                    }
                    waiting.add(request);
                    next();
                    return true;
                })
                .whenComplete((accepted, ended) -> {
                    if (ended != null) {
                        request.outcome().complete(closedOutcome());
                    }
                });
        return request.outcome();
    }

    void close() {
        services.registry().forget(listener);
        main.execute(() -> {
            closed = true;
            current.ifPresent(request -> request.outcome().complete(closedOutcome()));
            waiting.forEach(request -> request.outcome().complete(closedOutcome()));
            waiting.clear();
            if (current.isEmpty() && preparing == 0) {
                end();
            }
        });
    }

    /** Only after the current decision: a policy gets one call at a time, including its close. */
    private void end() {
        decider.closed();
        bindings.forEach(PolicyBinding::drop);
        main.close();
    }

    private O closedOutcome() {
        return notDecided.apply(name + " has ended");
    }

    private void next() {
        if (closed || current.isPresent() || waiting.isEmpty()) {
            return;
        }
        if (preparing > 0) {
            heldSinceNanos = OptionalLong.of(heldSinceNanos.orElseGet(services.clock()::nanos));
            return;
        }
        long startedNanos = heldSinceNanos.orElseGet(services.clock()::nanos);
        heldSinceNanos = OptionalLong.empty();
        Request<I, O> request = waiting.remove();
        current = Optional.of(request);
        kinds.forEach(services.registry().swaps()::roundBegan);
        decider.decide(request.input(), request.dueNanos(), startedNanos);
    }

    /** Whether nothing reads what policies see. */
    boolean isIdle() {
        return current.isEmpty() && preparing == 0;
    }

    /** Ends the current decision. */
    void finish(O outcome) {
        Request<I, O> done = current.orElseThrow();
        current = Optional.empty();
        try {
            decider.ended();
            kinds.forEach(services.registry().swaps()::roundEnded);
        } finally {
            done.outcome().complete(outcome);
        }
        // Not in this call: the next decision may fail by itself, and thousands without a call would overflow the
        // stack.
        main.execute(this::continueWithNext);
    }

    private void continueWithNext() {
        if (current.isPresent() || preparing > 0) {
            // Its end continues.
            return;
        }
        if (closed) {
            end();
            return;
        }
        if (recheckDue) {
            recheck();
        }
        next();
    }

    /** Ends a decision that failed outside of the policies and drops their generations. The next one continues. */
    private void failed(Throwable failure) {
        if (current.isPresent() && bindings.stream().noneMatch(PolicyBinding::isCalling)) {
            bindings.forEach(binding -> main.execute(binding::drop));
            finish(notDecided.apply(name + " failed: " + failure));
        }
    }

    private void registryChanged() {
        main.execute(() -> {
            if (current.isPresent() || preparing > 0) {
                recheckDue = true;
            } else {
                recheck();
            }
        });
    }

    private void recheck() {
        recheckDue = false;
        List<PolicyBinding<?>> others =
                bindings.stream().filter(PolicyBinding::recheck).toList();
        if (prepares) {
            others.forEach(this::prepare);
        }
        if (!others.isEmpty()) {
            notifyOwner();
        }
    }

    void notifyOwner() {
        try {
            changed.run();
        } catch (RuntimeException failure) {
            LOG.error("{}: its owner failed to request another decision", name, failure);
        }
    }

    /** Opens the next policy between decisions. Requests wait meanwhile, as they would within a round. */
    private void prepare(PolicyBinding<?> binding) {
        preparing++;
        binding.prepare(() -> {
            preparing--;
            main.execute(this::continueWithNext);
        });
    }
}
