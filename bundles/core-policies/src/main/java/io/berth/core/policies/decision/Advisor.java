package io.berth.core.policies.decision;

import io.berth.core.api.job.JobGraph;
import io.berth.core.api.operations.PolicyMetrics.DecisionType;
import io.berth.core.api.operations.PolicyMetrics.PolicyCall;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.ScalingAdvisor;
import io.berth.core.api.time.MainThread;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.swap.Swap;
import io.berth.spi.PolicyKind;
import io.berth.spi.scaling.ScalingPolicyFactory;
import io.berth.spi.scaling.ScalingSession;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Scaling of one job: asks the scaling policy that the job chose, or the common one, validates what it answers and
 * keeps vertices equal that forward edges connect. Has a main thread of its own; the owner's calls hop to it.
 */
public final class Advisor implements ScalingAdvisor {

    private static final Logger LOG = LoggerFactory.getLogger(Advisor.class);

    private record Request(ScalingInput input, long dueNanos, CompletableFuture<ScalingOutcome> outcome) {}

    private record Answer(GraphView.Parallelisms desired, GraphView.Parallelisms planned, boolean rescale) {}

    private final DecisionOwner owner;
    private final JobGraph job;
    private final Services services;
    private final MainThread main;
    private final Runnable changed;
    private final Runnable listener = this::registryChanged;
    private final GraphView view;
    private final PolicyBinding<ScalingSession> seat;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private Optional<Request> current = Optional.empty();
    private boolean recheckDue;
    private boolean closed;

    public Advisor(JobGraph job, Runnable changed, Services services) {
        this.owner = DecisionOwner.scaling(job.id());
        this.job = job;
        this.services = services;
        this.main = services.mainThreads().apply("scaling of " + owner, this::failed);
        this.changed = changed;
        this.view = new GraphView(job);
        this.seat = new PolicyBinding<>(
                PolicyKind.SCALING,
                owner,
                Optional.ofNullable(job.policies().get(PolicyKind.SCALING)),
                services.registry(),
                services.guard(),
                main,
                services.clock(),
                () -> LedgerState.NONE,
                (factory, configuration, context) -> ((ScalingPolicyFactory) factory)
                        .create(configuration, context)
                        .open(view),
                ScalingSession::close);
        ownChoice()
                .ifPresent(selector ->
                        services.registry().choosesForItself(PolicyKind.SCALING, owner.toString(), selector));
        services.registry().listen(listener);
    }

    private Optional<String> ownChoice() {
        return Optional.ofNullable(job.policies().get(PolicyKind.SCALING)).filter(text -> !text.isBlank());
    }

    @Override
    public CompletionStage<ScalingOutcome> decide(ScalingInput input) {
        Request request = new Request(input, services.clock().nanos(), new CompletableFuture<>());
        main.call(() -> {
                    if (closed) {
                        request.outcome().complete(closed());
                        return false;
                    }
                    waiting.add(request);
                    next();
                    return true;
                })
                .whenComplete((accepted, ended) -> {
                    if (ended != null) {
                        request.outcome().complete(closed());
                    }
                });
        return request.outcome();
    }

    @Override
    public void close() {
        services.registry().forget(listener);
        services.registry().forget(job.id());
        ownChoice()
                .ifPresent(
                        selector -> services.registry().choosesNoMore(PolicyKind.SCALING, owner.toString(), selector));
        main.execute(() -> {
            closed = true;
            current.ifPresent(request -> request.outcome().complete(closed()));
            waiting.forEach(request -> request.outcome().complete(closed()));
            waiting.clear();
            if (current.isEmpty()) {
                end();
            }
        });
    }

    /** Not before the decision under way has ended: a policy is called once at a time, its close included. */
    private void end() {
        seat.drop();
        main.close();
    }

    private ScalingOutcome closed() {
        return new ScalingOutcome.NotDecided("the scaling of " + owner + " is closed");
    }

    private void next() {
        if (closed || current.isPresent() || waiting.isEmpty()) {
            return;
        }
        current = Optional.of(waiting.remove());
        services.registry().swaps().roundBegan(PolicyKind.SCALING);
        ScalingInput input = current.get().input();
        Optional<String> mismatch = view.apply(input, services.clock().millis());
        if (mismatch.isPresent()) {
            finish(new ScalingOutcome.NotDecided(mismatch.get()));
            return;
        }
        attempt(input, services.clock().nanos(), new TreeMap<>(), new ArrayList<>());
    }

    private void attempt(ScalingInput input, long startedNanos, SortedMap<Long, String> leftOut, List<String> notes) {
        seat.take(
                leftOut,
                lease -> {
                    GraphView.Parallelisms desired = view.newDesired();
                    GraphView.Parallelisms planned = view.newPlanned();
                    seat.call(
                            lease,
                            lease.fresh() ? PolicyCall.DESIRE : PolicyCall.DELTA,
                            "decide",
                            (session, phases) -> {
                                if (!lease.fresh()) {
                                    session.delta();
                                    phases.enter(PolicyCall.DESIRE);
                                }
                                desired.rules().begin();
                                session.desire(desired);
                                desired.rules().end();
                                phases.enter(PolicyCall.PLAN);
                                planned.rules().begin();
                                session.plan(planned);
                                planned.rules().end();
                                phases.enter(PolicyCall.RESCALE);
                                boolean rescale = desired.rules().violation().isEmpty()
                                        && planned.rules().violation().isEmpty()
                                        && session.rescale(view.aligned(planned.values()));
                                return new Answer(desired, planned, rescale);
                            },
                            answer -> {
                                Optional<String> violation =
                                        answer.desired().violation().or(answer.planned()::violation);
                                if (violation.isEmpty()) {
                                    decided(input, startedNanos, leftOut, lease, answer, notes);
                                } else {
                                    String text = "breaks a rule of scaling: " + violation.get();
                                    boolean desiring =
                                            answer.desired().violation().isPresent();
                                    seat.violated(lease, desiring ? PolicyCall.DESIRE : PolicyCall.PLAN, text);
                                    without(input, startedNanos, leftOut, notes, lease, text);
                                }
                            },
                            text -> without(input, startedNanos, leftOut, notes, lease, text));
                },
                vacant -> finish(new ScalingOutcome.NotDecided(
                        notes.isEmpty() ? vacant : vacant + ": " + String.join("; ", notes))));
    }

    private void without(
            ScalingInput input,
            long startedNanos,
            SortedMap<Long, String> leftOut,
            List<String> notes,
            Lease<ScalingSession> lease,
            String text) {
        notes.add(lease.candidate() + " " + text);
        leftOut.put(lease.candidate().id(), text);
        attempt(input, startedNanos, leftOut, notes);
    }

    private void decided(
            ScalingInput input,
            long startedNanos,
            SortedMap<Long, String> leftOut,
            Lease<ScalingSession> lease,
            Answer answer,
            List<String> notes) {
        List<Integer> desired = view.aligned(answer.desired().values(), true);
        List<Integer> planned = view.aligned(answer.planned().values(), false);
        boolean rescale = answer.rescale() && !planned.equals(input.current());
        String reason = String.join(
                "; ",
                java.util.stream.Stream.of(
                                answer.desired().reason(), answer.planned().reason())
                        .filter(text -> !text.isEmpty())
                        .distinct()
                        .toList());
        List<String> reasons = new ArrayList<>(notes);
        if (!lease.note().isEmpty()) {
            reasons.add(lease.note());
        }
        if (!reason.isEmpty()) {
            reasons.add(reason);
        }
        long number = services.log().next();
        seat.decided(lease, number);
        seat.committed(number, current.orElseThrow().dueNanos());
        services.guard()
                .meters()
                .decided(owner, DecisionType.SCALING, services.clock().nanos() - startedNanos);
        services.log()
                .record(new StoredDecision(
                        number,
                        services.clock().wallMillis(),
                        owner,
                        List.of(Swap.stamp(lease.identity())),
                        input.stateNumber(),
                        List.of(job.id().value()),
                        Lines.of(view.inputs(input)),
                        Lines.of(view.results(desired, planned, rescale)),
                        Lines.of(reasons),
                        (services.clock().nanos() - startedNanos) / 1_000,
                        lease.told(leftOut),
                        Lines.madeAgain(notes),
                        Optional.empty()));
        finish(new ScalingOutcome.Decided(number, lease.identity(), desired, planned, rescale, reason));
    }

    private void finish(ScalingOutcome outcome) {
        Request done = current.orElseThrow();
        current = Optional.empty();
        try {
            services.registry().swaps().roundEnded(PolicyKind.SCALING);
        } finally {
            done.outcome().complete(outcome);
        }
        // Not from here: what follows may fail by itself.
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
        if (recheckDue) {
            recheck();
        }
        next();
    }

    /** A round that failed outside the policy ends without a decision, and lets go of the policy. The next one goes on. */
    private void failed(Throwable failure) {
        if (current.isPresent() && !seat.isCalling()) {
            main.execute(seat::drop);
            finish(new ScalingOutcome.NotDecided("the scaling of " + owner + " failed: " + failure));
        }
    }

    private void registryChanged() {
        main.execute(() -> {
            if (current.isPresent()) {
                recheckDue = true;
            } else {
                recheck();
            }
        });
    }

    private void recheck() {
        recheckDue = false;
        if (seat.recheck()) {
            try {
                changed.run();
            } catch (RuntimeException failure) {
                LOG.error("{}: its owner failed to take over a change of policy", owner, failure);
            }
        }
    }
}
