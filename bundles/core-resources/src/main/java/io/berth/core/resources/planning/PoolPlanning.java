package io.berth.core.resources.planning;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.explanation.Explanations;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.PoolWorkers;
import io.berth.core.resources.state.SlotEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plans for one pool: its changes are collected during the check delay and planned together by the policies of the
 * pool, one plan at a time. The outcome is checked against the present state, and its slots are requested from the
 * workers. Pools do not wait for each other. Confined to the main thread of the ResourceManager.
 */
final class PoolPlanning {

    private static final Logger LOG = LoggerFactory.getLogger(PoolPlanning.class);

    private final PlanningParts parts;
    private final MainThread mainThread;
    private final Clock clock;
    private final Changes changes;
    private final WorkerDemand backends;
    private final Explanations explanations;
    private final PoolWorkers workers;
    private final PoolJobs jobs;
    private final BooleanSupplier recovering;
    private final PlanRetry retry;
    private final DeadlockDetection deadlocks;
    private final SlowPlans slowPlans;
    /** Changed on the main thread only; {@link #end} reads it after the main thread is closed. */
    private volatile Optional<PlacementPlanner> planner = Optional.empty();

    private MatchingRule rule = MatchingRule.EXACT;
    private List<SpecColumn> publishedSpecs = List.of();
    /** The same, when the limits of the cluster are not set against each other. */
    private List<SpecColumn> knownSpecs = List.of();
    /**
     * The spec that is favored in the next plan, counted from 1; 0: each spec may use the whole limit of the cluster.
     */
    private int favoredSpec;

    private Optional<Timers.Cancellable> scheduled = Optional.empty();
    private boolean forced;
    private boolean planning;
    private boolean again;
    /** When the next plan is due; empty if none is. */
    private OptionalLong dueNanos = OptionalLong.empty();

    /** @param recovering whether nothing may be planned yet */
    PoolPlanning(String pool, PlanningParts parts, BooleanSupplier recovering) {
        this.parts = parts;
        this.mainThread = parts.mainThread();
        this.clock = parts.clock();
        this.changes = parts.changes();
        this.backends = parts.backends();
        this.explanations = parts.explanations();
        this.workers = parts.workers().ofPool(pool);
        this.jobs = parts.ledger().ofPool(pool);
        this.recovering = recovering;
        this.slowPlans = new SlowPlans(mainThread, clock, why -> {
            explanations.undecided(jobs, Optional.of(why));
            changes.mark(Change.REASONS);
        });
        this.retry = new PlanRetry(mainThread, this::replan);
        this.deadlocks = new DeadlockDetection(
                parts.id(), mainThread, parts.settings(), parts.workers(), jobs, backends, this::resolveDeadlock);
    }

    /** Opens the planner. Opens another one if the matching rule changed. */
    void open(MatchingRule configured) {
        if (planner.isPresent() && configured == rule) {
            return;
        }
        planner.ifPresent(PlacementPlanner::close);
        rule = configured;
        planning = false;
        slowPlans.ends();
        retry.decided();
        workers.restart();
        jobs.restart(rule);
        planner = Optional.of(parts.policies()
                .openPlanner(jobs.name(), rule, jobs::published, () -> mainThread.execute(this::replan)));
        replan();
    }

    /** Recovery has ended: requirements are planned from now on. */
    void recovered() {
        // The delay of a plan counts from now on.
        dueNanos = OptionalLong.empty();
        replan();
    }

    void close() {
        planner.ifPresent(PlacementPlanner::close);
        planner = Optional.empty();
        retry.cancel();
        deadlocks.cancel();
        slowPlans.ends();
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
    }

    /** Closes the planner after the main thread was closed. Thread-safe. */
    void end() {
        planner.ifPresent(PlacementPlanner::close);
    }

    /** What units of a queue may still use; empty if it is not known. */
    Optional<SortedMap<String, Long>> queueRoom(String queue) {
        return planner.flatMap(present -> present.queueRoom(queue));
    }

    /** The next plan is made even if nothing of the pool changed. */
    void force() {
        forced = true;
    }

    /**
     * Whether more workers may be started for the pool than its last plan knew, because another pool gave up its share
     * of a limit, and some job waits. During a plan the answer is no: its end is a reason to ask again.
     */
    boolean mayStartMore() {
        if (planning || !jobs.anyLacks()) {
            return false;
        }
        List<SpecColumn> now = backends.specs(jobs.name());
        boolean more = now.size() != knownSpecs.size();
        for (int spec = 0; spec < now.size() && !more; spec++) {
            more = now.get(spec).left() > knownSpecs.get(spec).left();
        }
        forced |= more;
        return more;
    }

    boolean hasChanges() {
        return forced || workers.hasChanges() || jobs.hasChanges();
    }

    /** Something of the pool changed: plans after the check delay, or at once if a worker registered that it awaits. */
    void changed() {
        boolean awaited = workers.takeAwaited();
        long delay = awaited ? 0 : parts.settings().get().requirementCheckDelayMillis();
        due(delay);
        if (planning) {
            again = true;
        } else if (awaited) {
            check();
        } else if (!recovering.getAsBoolean()) {
            checkIn(delay);
        }
    }

    private void checkIn(long delayMillis) {
        if (scheduled.isEmpty()) {
            scheduled = Optional.of(mainThread.schedule(delayMillis, this::check));
        }
    }

    private void due(long inMillis) {
        long at = clock.nanos() + inMillis * 1_000_000;
        if (dueNanos.isEmpty() || at - dueNanos.getAsLong() < 0) {
            dueNanos = OptionalLong.of(at);
        }
    }

    /** A plan in progress ends with the same. */
    private void resolveDeadlock() {
        if (!planning && !recovering.getAsBoolean() && planner.isPresent()) {
            deadlocks.resolve();
        }
    }

    private void replan() {
        forced = true;
        changes.mark(Change.CLUSTER);
    }

    private void check() {
        // A scheduled check would come too early for later changes.
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
        if (planner.isEmpty() || planning || recovering.getAsBoolean()) {
            return;
        }
        if (!hasChanges()) {
            dueNanos = OptionalLong.empty();
            return;
        }
        forced = false;
        planning = true;
        again = false;
        long stateNumber = parts.numbers().nextState();
        knownSpecs = backends.specs(jobs.name());
        publishedSpecs = favoredSpec == 0 ? knownSpecs : backends.specsWithinLimits(jobs.name(), favoredSpec - 1);
        PlacementPlanner asked = planner.get();
        PlanningInput input = new PlanningInput(
                stateNumber,
                workers.takeChanges(stateNumber),
                jobs.takeChanges(stateNumber),
                publishedSpecs,
                jobs.takeSlotChanges(asked.usesSlots()));
        long due = dueNanos.orElseGet(clock::nanos);
        dueNanos = OptionalLong.empty();
        slowPlans.begins(asked);
        mainThread.whenComplete(asked.plan(input), (outcome, failure) -> planned(asked, due, input, outcome, failure));
    }

    private void planned(
            PlacementPlanner asked, long due, PlanningInput input, PlanOutcome outcome, Throwable failure) {
        if (planner.filter(present -> present == asked).isEmpty()) {
            return;
        }
        planning = false;
        slowPlans.ends();
        if (failure != null) {
            LOG.error("ResourceManager {}: planning of {} failed; jobs keep what they have", parts.id(), jobs, failure);
            explanations.undecided(
                    jobs, Optional.of(Reason.of(ReasonCode.PLANNING_FAILED, "planning failed: " + failure)));
            dueNanos = OptionalLong.of(due);
            markChanged(input);
            retry.failed();
        } else if (outcome instanceof PlanOutcome.Planned plan) {
            explanations.undecided(jobs, Optional.empty());
            retry.decided();
            commit(asked, due, plan);
            deadlocks.resolve();
            if (asked.usesSlots() && !jobs.areSlotsListed()) {
                // Another strategy decided, and it does not know the slots yet.
                forced = true;
                again = true;
            }
        } else if (outcome instanceof PlanOutcome.NotDecided none) {
            // It stays due until a policy can decide.
            dueNanos = OptionalLong.of(due);
            explanations.undecided(jobs, Optional.of(none.why()));
            if (none.why().code() == ReasonCode.PLANNING_FAILED) {
                markChanged(input);
            }
            retry.undecided(none);
        }
        changes.mark(Change.DEMAND);
        changes.mark(Change.REASONS);
        if (again) {
            // Changes during the plan have waited already: the delay counts from them.
            again = false;
            checkIn(Math.max(0, (dueNanos.orElseGet(clock::nanos) - clock.nanos() + 999_999) / 1_000_000));
        }
    }

    /** The planner may have applied only a part of the changes: they are part of the next input again. */
    private void markChanged(PlanningInput input) {
        input.workers().forEach(change -> workers.changed(change.index()));
        input.units().forEach(change -> jobs.changed(change.index()));
        jobs.listAllSlots();
    }

    private void commit(PlacementPlanner asked, long due, PlanOutcome.Planned plan) {
        boolean late = workers.hasChanges() || jobs.hasChanges();
        LedgerState before = jobs.publish();
        PlanCommit commit = new PlanCommit(
                parts.workers(),
                jobs,
                backends,
                parts.allocations(),
                parts.numbers()::nextAllocation,
                plan,
                publishedSpecs,
                clock.millis());
        List<SlotEntry> granted = commit.commit();
        String dropped = String.join("; ", commit.dropped());
        if (!dropped.isEmpty()) {
            LOG.info("decision {}: parts were dropped: {}", plan.decision(), dropped);
            if (late) {
                again = true;
            }
        }
        favorSpecs(commit);
        if (plan.decision() != 0) {
            int listed = Math.min(granted.size(), PlacementPlanner.MAX_LISTED_SLOTS);
            List<CommittedSlot> slots = new ArrayList<>(listed);
            granted.subList(0, listed)
                    .forEach(slot -> slots.add(new CommittedSlot(
                            slot.job().id,
                            slot.kind().group().unit(),
                            slot.kind().group().group(),
                            slot.worker.id(),
                            slot.allocation,
                            slot.kind().profile())));
            long moreHash = 0;
            for (int slot = listed; slot < granted.size(); slot++) {
                moreHash += granted.get(slot).ledgerHash();
            }
            long delayMicros = Math.max(0, clock.nanos() - due) / 1_000;
            asked.committed(
                    plan.decision(),
                    new PlacementPlanner.Commit(
                            slots, granted.size() - listed, moreHash, dropped, before, jobs.publish(), delayMicros));
        }
        parts.calls().request(granted);
        parts.returns().ask(jobs, plan);
        if (!granted.isEmpty()) {
            explanations.requestLater();
            if (asked.countsUse()) {
                changes.mark(Change.CLUSTER);
            }
        }
    }

    /**
     * A policy sees a limit for each spec, not for all together: its plan may exceed the limits of the cluster. Then it
     * plans again within shares of them, with each spec favored once, until some workers are opened.
     */
    private void favorSpecs(PlanCommit commit) {
        if (favoredSpec == 0 && !commit.isBeyondLimits()) {
            return;
        }
        favoredSpec = commit.hasOpenedWorkers() ? 0 : (favoredSpec + 1) % (publishedSpecs.size() + 1);
        if (favoredSpec > 0 || commit.hasOpenedWorkers()) {
            forced = true;
            again = true;
        }
    }
}
