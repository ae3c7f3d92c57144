package io.berth.core.policies.decision;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.mirror.UnitTable;
import io.berth.core.policies.mirror.WorkerColumns;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.validation.RemainingCapacity;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans for one pool. Keeps the mirror that both sessions read, applies deltas between decisions only, makes one
 * decision at a time ({@link PlanningDecision}) and follows the registry between them. Has a main thread of its own;
 * the owner's calls hop to it.
 */
public final class Planner implements PlacementPlanner {

    private static final Logger LOG = LoggerFactory.getLogger(Planner.class);

    private record Request(PlanningInput input, CompletableFuture<PlanOutcome> outcome) {}

    private final DecisionOwner owner;
    private final Services services;
    private final MainThread main;
    private final Runnable changed;
    private final Runnable listener = this::registryChanged;
    private final WorkerColumns workers = new WorkerColumns();
    private final UnitTable units = new UnitTable();
    private final RemainingCapacity rest = new RemainingCapacity();
    private final PolicyBinding<AdmissionSession> distribution;
    private final PolicyBinding<PlacementSession> matching;
    private final Deque<Request> waiting = new ArrayDeque<>();
    private Optional<Request> current = Optional.empty();
    private final LeftOutUnits leftOutUnits = new LeftOutUnits();
    private Optional<Timers.Cancellable> reminder = Optional.empty();
    private boolean recheckDue;
    /** Seats that open a generation between rounds: the mirror must not change meanwhile. */
    private int preparing;
    /** Since when a request waits for that. */
    private OptionalLong heldSinceNanos = OptionalLong.empty();

    private boolean closed;

    /** @param rule the mirror's default slots and the owner's commit follow it; strategies see amounts only */
    public Planner(String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed, Services services) {
        this.owner = DecisionOwner.plans(pool);
        this.services = services;
        this.main = services.mainThreads().apply("planner of " + owner + " by rule " + rule, this::failed);
        this.changed = changed;
        this.distribution = new PolicyBinding<>(
                PolicyKind.DISTRIBUTION,
                owner,
                Optional.empty(),
                services.registry(),
                services.guard(),
                main,
                services.clock(),
                ledger,
                (factory, configuration, context) -> ((DistributionPolicyFactory) factory)
                        .create(configuration, context)
                        .open(units),
                AdmissionSession::close);
        this.matching = new PolicyBinding<>(
                PolicyKind.MATCHING,
                owner,
                Optional.empty(),
                services.registry(),
                services.guard(),
                main,
                services.clock(),
                ledger,
                (factory, configuration, context) -> ((MatchingStrategyFactory) factory)
                        .create(configuration, context)
                        .open(workers),
                PlacementSession::close);
        services.registry().listen(listener);
    }

    @Override
    public CompletionStage<PlanOutcome> plan(PlanningInput input) {
        Request request = new Request(input, new CompletableFuture<>());
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

    @Override
    public void committed(long decision, Commit commit) {
        if (decision <= 0) {
            return;
        }
        main.execute(() -> {
            distribution.committed(decision, commit);
            matching.committed(decision, commit);
        });
        services.log().committed(decision, commit);
    }

    @Override
    public void close() {
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

    /** Not before the decision under way has ended: a policy is called once at a time, its close included. */
    private void end() {
        reminder.ifPresent(Timers.Cancellable::cancel);
        distribution.drop();
        matching.drop();
        main.close();
    }

    private PlanOutcome closedOutcome() {
        return new PlanOutcome.NotDecided("the planner of " + owner + " is closed");
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
        Request request = waiting.remove();
        current = Optional.of(request);
        services.registry().swaps().roundBegan(PolicyKind.DISTRIBUTION);
        services.registry().swaps().roundBegan(PolicyKind.MATCHING);
        try {
            apply(request.input());
        } catch (RuntimeException | Error invalid) {
            LOG.error("{}: state {} cannot be applied", owner, request.input().stateNumber(), invalid);
            finish(new PlanOutcome.NotDecided("the input cannot be applied: " + invalid));
            return;
        }
        if (units.nothingLacks()) {
            finish(new PlanOutcome.Planned(
                    0,
                    request.input().stateNumber(),
                    distribution.identity().orElse(nobody(PolicyKind.DISTRIBUTION)),
                    matching.identity().orElse(nobody(PolicyKind.MATCHING)),
                    PlacementRuns.NONE,
                    List.of(),
                    workers.limit(),
                    List.of()));
            return;
        }
        new PlanningDecision(
                        owner,
                        services,
                        workers,
                        units,
                        rest,
                        distribution,
                        matching,
                        leftOutUnits,
                        startedNanos,
                        this::finish)
                .start();
    }

    private static PolicyIdentity nobody(PolicyKind kind) {
        return new PolicyIdentity(kind, "none", "", "", 0, 0);
    }

    private void apply(PlanningInput input) {
        long now = services.clock().millis();
        boolean grown = workers.apply(input.stateNumber(), now, input.workers(), input.specs());
        grown |= units.apply(input.stateNumber(), now, input.units(), workers);
        if (grown) {
            // A session was opened on fewer dimensions.
            matching.drop();
        }
    }

    private void finish(PlanOutcome outcome) {
        Request done = current.orElseThrow();
        current = Optional.empty();
        services.registry().swaps().roundEnded(PolicyKind.DISTRIBUTION);
        services.registry().swaps().roundEnded(PolicyKind.MATCHING);
        if (closed) {
            end();
            return;
        }
        done.outcome().complete(outcome);
        remind();
        goOn();
    }

    /** A minimum that a strategy leaves out is to be looked at again when its reason no longer counts. */
    private void remind() {
        reminder.ifPresent(Timers.Cancellable::cancel);
        long limitNanos = services.registry().limits().leftOutMillis() * 1_000_000;
        reminder = leftOutUnits.next(limitNanos, services.clock().nanos()).stream()
                .mapToObj(nanos -> main.schedule(nanos / 1_000_000 + 1, this::tellOwner))
                .findFirst();
    }

    private void tellOwner() {
        try {
            changed.run();
        } catch (RuntimeException failure) {
            LOG.error("{}: its owner failed to ask for another decision", owner, failure);
        }
    }

    /** A round that failed outside the policies ends without a plan, and lets go of both. The next one goes on. */
    private void failed(Throwable failure) {
        if (current.isPresent() && !distribution.isCalling() && !matching.isCalling()) {
            main.execute(distribution::drop);
            main.execute(matching::drop);
            finish(new PlanOutcome.NotDecided("the planner of " + owner + " failed: " + failure));
        }
    }

    private void goOn() {
        if (closed || preparing > 0 || current.isPresent()) {
            // Its end goes on: looking anew while it opens somebody would open another beside.
            return;
        }
        if (recheckDue) {
            recheck();
        }
        next();
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
        boolean otherDistribution = distribution.recheck();
        boolean otherMatching = matching.recheck();
        if (otherDistribution) {
            prepare(distribution);
        }
        if (otherMatching) {
            prepare(matching);
        }
        if (otherDistribution || otherMatching) {
            tellOwner();
        }
    }

    /** Opens who decides next while nobody asks; requests wait meanwhile, as they would within the round. */
    private void prepare(PolicyBinding<?> seat) {
        preparing++;
        seat.prepare(() -> {
            preparing--;
            if (preparing > 0) {
                return;
            }
            if (closed) {
                end();
            } else {
                main.execute(this::goOn);
            }
        });
    }
}
