package io.berth.core.policies.decision;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PolicyIdentity;
import io.berth.core.api.time.Timers;
import io.berth.core.policies.cache.DecisionTime;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.registration.DecisionOwner;
import io.berth.core.policies.validation.RemainingCapacity;
import io.berth.spi.PolicyKind;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DistributionPolicyFactory;
import io.berth.spi.matching.MatchingStrategyFactory;
import io.berth.spi.matching.PlacementSession;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans for one pool. Keeps the state that both sessions read, applies deltas only between decisions, and makes one
 * decision at a time ({@link PlanningDecision}). Has its own main thread; calls of the owner hop to it.
 */
public final class Planner implements PlacementPlanner, DecisionQueue.Decider<PlanningInput> {

    private static final Logger LOG = LoggerFactory.getLogger(Planner.class);

    private final DecisionOwner owner;
    private final Services services;
    private final DecisionQueue<PlanningInput, PlanOutcome> queue;
    private final WorkerColumns workers = new WorkerColumns();
    private final UnitTable units = new UnitTable(workers);
    private final RemainingCapacity rest = new RemainingCapacity();
    private final PolicyBinding<AdmissionSession> distribution;
    private final PolicyBinding<PlacementSession> matching;
    private final LeftOutUnits leftOutUnits = new LeftOutUnits();
    private final Review review = new Review();
    private Optional<Timers.Cancellable> reminder = Optional.empty();

    /** @param rule that default slots and the commit of the owner follow; strategies only see amounts */
    public Planner(String pool, MatchingRule rule, Supplier<LedgerState> ledger, Runnable changed, Services services) {
        this.owner = DecisionOwner.plans(pool);
        this.services = services;
        this.queue = new DecisionQueue<>(
                "planner of " + owner + " by rule " + rule,
                services,
                EnumSet.of(PolicyKind.DISTRIBUTION, PolicyKind.MATCHING),
                PlanOutcome.NotDecided::new,
                changed,
                this);
        this.distribution = new PolicyBinding<>(
                PolicyKind.DISTRIBUTION,
                owner,
                Optional.empty(),
                services,
                queue.main(),
                ledger,
                (factory, configuration, context) -> ((DistributionPolicyFactory) factory)
                        .create(configuration, context)
                        .open(units),
                AdmissionSession::close);
        this.matching = new PolicyBinding<>(
                PolicyKind.MATCHING,
                owner,
                Optional.empty(),
                services,
                queue.main(),
                ledger,
                (factory, configuration, context) -> ((MatchingStrategyFactory) factory)
                        .create(configuration, context)
                        .openPlacement(workers),
                PlacementSession::close);
        queue.begin(true, distribution, matching);
    }

    @Override
    public CompletionStage<PlanOutcome> plan(PlanningInput input) {
        return queue.submit(input);
    }

    @Override
    public Optional<PolicyIdentity> asked() {
        return distribution.asked().or(matching::asked);
    }

    @Override
    public void committed(long decision, Commit commit) {
        if (decision <= 0) {
            return;
        }
        queue.main().execute(() -> {
            distribution.committed(decision, commit);
            matching.committed(decision, commit);
        });
        services.log().committed(decision, commit);
    }

    @Override
    public void close() {
        queue.close();
    }

    @Override
    public void decide(PlanningInput input, long dueNanos, long startedNanos) {
        review.begin();
        try {
            apply(input);
        } catch (RuntimeException invalid) {
            LOG.error("{}: state {} cannot be applied", owner, input.stateNumber(), invalid);
            queue.finish(new PlanOutcome.NotDecided("the input cannot be applied: " + invalid));
            return;
        }
        if (units.nothingLacks()) {
            queue.finish(new PlanOutcome.Planned(
                    0,
                    input.stateNumber(),
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
                        review,
                        startedNanos,
                        queue::finish)
                .make();
    }

    private static PolicyIdentity nobody(PolicyKind kind) {
        return new PolicyIdentity(kind, "none", "", "", 0, 0);
    }

    private void apply(PlanningInput input) {
        DecisionTime now = DecisionTime.now(services.clock());
        boolean grown = workers.apply(input.stateNumber(), now, input.workers(), input.specs());
        grown |= units.apply(input.stateNumber(), now, input.units());
        if (grown) {
            // The sessions were opened on fewer dimensions.
            matching.drop();
            distribution.drop();
        }
    }

    /**
     * Schedules a decision for the time when the reason for leaving out a minimum no longer counts, or when a policy
     * asked for it.
     */
    @Override
    public void ended() {
        units.clearOverlay();
        workers.clearOverlay();
        reminder.ifPresent(Timers.Cancellable::cancel);
        long limitNanos = services.registry().limits().leftOutMillis() * 1_000_000;
        LongStream leftOut =
                leftOutUnits.next(limitNanos, services.clock().nanos()).stream().map(nanos -> nanos / 1_000_000 + 1);
        OptionalLong next =
                LongStream.concat(leftOut, review.afterMillis().stream()).min();
        reminder = next.stream()
                .mapToObj(millis -> queue.main().schedule(millis, queue::notifyOwner))
                .findFirst();
    }

    @Override
    public void closed() {
        reminder.ifPresent(Timers.Cancellable::cancel);
    }
}
