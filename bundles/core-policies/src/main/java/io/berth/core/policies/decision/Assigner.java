package io.berth.core.policies.decision;

import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.AssignmentOutcome;
import io.berth.core.api.policy.AssignmentQuery;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.registration.Asker;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.swap.Swap;
import io.berth.core.policies.validation.AssignmentCheck;
import io.berth.spi.PolicyKind;
import io.berth.spi.matching.MatchingStrategy;
import io.berth.spi.matching.MatchingStrategyFactory;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Assigns slots to requirements for the JobMasters of one pool, one query after another, with an instance of the pool's
 * matching strategy that is not the planner's: so a long planning call delays no assignment. Own main thread.
 */
public final class Assigner implements AutoCloseable {

    private record Request(AssignmentQuery query, long dueNanos, CompletableFuture<AssignmentOutcome> outcome) {}

    private final DecisionOwner owner;
    private final Services services;
    private final MainThread main;
    private final Runnable listener = this::registryChanged;
    private final PolicyBinding<MatchingStrategy> seat;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private Optional<Request> current = Optional.empty();
    private boolean closed;

    public Assigner(String pool, Services services) {
        this.owner = DecisionOwner.assignments(pool);
        this.services = services;
        this.main = services.mainThreads().apply(owner.toString(), this::failed);
        this.seat = new PolicyBinding<>(
                PolicyKind.MATCHING,
                owner,
                Optional.empty(),
                services.registry(),
                services.guard(),
                main,
                services.clock(),
                () -> LedgerState.NONE,
                (factory, configuration, context) -> ((MatchingStrategyFactory) factory).create(configuration, context),
                strategy -> {});
        services.registry().listen(listener);
    }

    public CompletionStage<AssignmentOutcome> assign(AssignmentQuery query) {
        Request request = new Request(query, services.clock().nanos(), new CompletableFuture<>());
        main.call(() -> {
                    if (closed) {
                        request.outcome().complete(hostEnded());
                        return false;
                    }
                    waiting.add(request);
                    next();
                    return true;
                })
                .whenComplete((accepted, ended) -> {
                    if (ended != null) {
                        request.outcome().complete(hostEnded());
                    }
                });
        return request.outcome();
    }

    @Override
    public void close() {
        services.registry().forget(listener);
        main.execute(() -> {
            closed = true;
            current.ifPresent(request -> request.outcome().complete(hostEnded()));
            waiting.forEach(request -> request.outcome().complete(hostEnded()));
            waiting.clear();
            if (current.isEmpty()) {
                end();
            }
        });
    }

    /** Not before the assignment under way has ended: a policy is called once at a time. */
    private void end() {
        seat.drop();
        main.close();
    }

    public static AssignmentOutcome hostEnded() {
        return new AssignmentOutcome.NotDecided("the policy host has ended");
    }

    private void next() {
        if (closed || current.isPresent() || waiting.isEmpty()) {
            return;
        }
        Request request = waiting.remove();
        current = Optional.of(request);
        services.registry().swaps().roundBegan(PolicyKind.MATCHING);
        attempt(request.query(), services.clock().nanos(), new TreeMap<>(), new ArrayList<>());
    }

    private void attempt(
            AssignmentQuery query, long startedNanos, SortedMap<Long, String> leftOut, List<String> notes) {
        Asker asker = new Asker(owner, Optional.ofNullable(query.job()));
        if (query.slots().isEmpty() || query.requirements().isEmpty()) {
            // No strategy has a choice here; but without one nothing is decided either.
            seat.take(
                    asker,
                    leftOut,
                    lease -> finish(new AssignmentOutcome.Assigned(
                            0,
                            lease.identity(),
                            query.slots().stream().map(slot -> -1).toList())),
                    this::vacant);
            return;
        }
        seat.take(
                asker,
                leftOut,
                lease -> {
                    AssignmentCheck check =
                            new AssignmentCheck(query, services.clock().millis());
                    seat.call(
                            lease,
                            PolicyCall.ASSIGN,
                            "assign",
                            (strategy, phases) -> {
                                check.rules().begin();
                                strategy.assign(check, check);
                                check.rules().end();
                                return check;
                            },
                            answer -> {
                                Optional<String> violation = answer.rules().violation();
                                if (violation.isEmpty()) {
                                    decided(query, startedNanos, leftOut, lease, answer, notes);
                                } else {
                                    String text = "breaks a rule of assignment: " + violation.get();
                                    seat.violated(lease, PolicyCall.ASSIGN, text);
                                    without(query, startedNanos, leftOut, notes, lease, text);
                                }
                            },
                            text -> without(query, startedNanos, leftOut, notes, lease, text));
                },
                vacant -> vacant(notes.isEmpty() ? vacant : vacant + ": " + String.join("; ", notes)));
    }

    private void vacant(String why) {
        finish(new AssignmentOutcome.NotDecided(why));
    }

    private void without(
            AssignmentQuery query,
            long startedNanos,
            SortedMap<Long, String> leftOut,
            List<String> notes,
            Lease<MatchingStrategy> lease,
            String text) {
        notes.add(lease.candidate() + " " + text);
        leftOut.put(lease.candidate().id(), text);
        attempt(query, startedNanos, leftOut, notes);
    }

    private void decided(
            AssignmentQuery query,
            long startedNanos,
            SortedMap<Long, String> leftOut,
            Lease<MatchingStrategy> lease,
            AssignmentCheck answer,
            List<String> notes) {
        long number = services.log().next();
        seat.decided(lease, number);
        seat.committed(number, current.orElseThrow().dueNanos());
        List<String> reasons = new ArrayList<>(notes);
        if (!lease.note().isEmpty()) {
            reasons.add(lease.note());
        }
        seat.takeSlow().ifPresent(reasons::add);
        reasons.addAll(answer.reasons());
        services.guard()
                .meters()
                .decided(owner, DecisionType.ASSIGNMENT, services.clock().nanos() - startedNanos);
        services.log()
                .record(new StoredDecision(
                        number,
                        services.clock().wallMillis(),
                        owner,
                        List.of(Swap.stamp(lease.identity())),
                        query.stateNumber(),
                        List.of(query.job().value()),
                        Lines.of(answer.inputs()),
                        Lines.of(answer.results()),
                        Lines.of(reasons),
                        (services.clock().nanos() - startedNanos) / 1_000,
                        lease.told(leftOut),
                        Lines.madeAgain(notes),
                        Optional.empty()));
        finish(new AssignmentOutcome.Assigned(number, lease.identity(), answer.requirementOfSlot()));
    }

    private void finish(AssignmentOutcome outcome) {
        Request done = current.orElseThrow();
        current = Optional.empty();
        try {
            services.registry().swaps().roundEnded(PolicyKind.MATCHING);
        } finally {
            done.outcome().complete(outcome);
        }
        // Not from here: thousands that need no call would each stand on the stack of the one before.
        main.execute(this::goOn);
    }

    private void goOn() {
        if (current.isPresent()) {
            return;
        }
        if (closed) {
            end();
            return;
        }
        seat.recheck();
        next();
    }

    /** A round that failed outside the policy ends without an assignment, and lets go of the policy. The next one goes on. */
    private void failed(Throwable failure) {
        if (current.isPresent() && !seat.isCalling()) {
            main.execute(seat::drop);
            finish(new AssignmentOutcome.NotDecided(owner + " failed: " + failure));
        }
    }

    private void registryChanged() {
        main.execute(() -> {
            if (current.isEmpty()) {
                seat.recheck();
            }
        });
    }
}
