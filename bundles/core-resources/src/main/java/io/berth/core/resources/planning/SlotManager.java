package io.berth.core.resources.planning;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.CommittedSlot;
import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlacementPlanner;
import io.berth.core.api.policy.PlanOutcome;
import io.berth.core.api.policy.PlanningInput;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.api.policy.PolicyHost;
import io.berth.core.api.time.Clock;
import io.berth.core.api.time.MainThread;
import io.berth.core.api.time.Timers;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.blocklist.BlockList;
import io.berth.core.resources.explanation.Explanations;
import io.berth.core.resources.settings.ResourceSettings;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.Changes;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.RequirementLedger;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates slots of workers to what jobs require (FLIP-138, "SlotManager"). Changes are collected for a moment and
 * then planned together by the policies of the pool, one plan at a time; the outcome is checked against the state that
 * holds by then and requested from the workers. Confined to the main thread of the ResourceManager.
 */
public final class SlotManager {

    /** Name of the only pool that there is. */
    public static final String POOL = "default";

    private static final Logger LOG = LoggerFactory.getLogger(SlotManager.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final PolicyHost policies;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final Allocations allocations;
    private final Changes changes;
    private final WorkerDemand backends;
    private final Explanations explanations;
    private final SlotCalls calls;
    private final PlanRetry retry;
    private final DeadlockDetection deadlocks;
    private final SlowPlans slowPlans;
    /** Changed on the main thread only; read by {@link #end} when that one is closed. */
    private volatile Optional<PlacementPlanner> planner = Optional.empty();

    private MatchingRule rule = MatchingRule.EXACT;
    private List<SpecColumn> publishedSpecs = List.of();
    /** The spec that is favored in the next plan, counted from 1; 0: each may have all that the cluster may have. */
    private int favoredSpec;

    private long stateNumber;
    private long allocationCount;
    private boolean recovering;
    private Optional<Timers.Cancellable> scheduled = Optional.empty();
    private boolean forced;
    private boolean planning;
    private boolean again;
    /** When the next plan is to be made; empty when nothing calls for one. */
    private OptionalLong dueNanos = OptionalLong.empty();

    public SlotManager(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            PolicyHost policies,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            RequirementLedger ledger,
            Allocations allocations,
            Changes changes,
            WorkerDemand backends,
            BlockList blockList,
            Executor analyses) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.policies = policies;
        this.settings = settings;
        this.workers = workers;
        this.ledger = ledger;
        this.allocations = allocations;
        this.changes = changes;
        this.backends = backends;
        this.explanations = new Explanations(id, mainThread, analyses, clock, workers, ledger, backends);
        this.calls = new SlotCalls(id, mainThread, clock, settings, workers, allocations, blockList);
        this.slowPlans = new SlowPlans(mainThread, clock, why -> {
            explanations.undecided(Optional.of(why));
            changes.mark(Change.REASONS);
        });
        this.retry = new PlanRetry(mainThread, this::replan);
        this.deadlocks =
                new DeadlockDetection(id, mainThread, settings, workers, ledger, backends, this::resolveDeadlock);
    }

    /** Opens the planner, or another one when the matching rule is another one. */
    public void open() {
        mainThread.assertCurrent();
        MatchingRule configured = settings.get().matchingRule();
        if (planner.isPresent() && configured == rule) {
            return;
        }
        planner.ifPresent(PlacementPlanner::close);
        rule = configured;
        planning = false;
        slowPlans.ends();
        retry.decided();
        workers.restart();
        ledger.restart(rule);
        planner = Optional.of(
                policies.openPlanner(POOL, rule, allocations::published, () -> mainThread.execute(this::replan)));
        replan();
    }

    /** Something of the previous attempt is missing: nothing is planned until {@link #recovered}, so that none is doubled. */
    public void recover(Reason why) {
        mainThread.assertCurrent();
        recovering = true;
        explanations.undecided(Optional.of(why));
    }

    /** Ends recovery: what is required is planned from now on. */
    public void recovered() {
        mainThread.assertCurrent();
        recovering = false;
        // What was asked for meanwhile is due from now on.
        dueNanos = OptionalLong.empty();
        explanations.undecided(Optional.empty());
        replan();
    }

    public boolean isRecovering() {
        return recovering;
    }

    /** The start-up period is over. */
    public void explainShortages() {
        mainThread.assertCurrent();
        explanations.open();
    }

    public void close() {
        mainThread.assertCurrent();
        planner.ifPresent(PlacementPlanner::close);
        planner = Optional.empty();
        retry.cancel();
        deadlocks.cancel();
    }

    /** The main thread is closed: lets the policies go. Any thread. */
    public void end() {
        planner.ifPresent(PlacementPlanner::close);
    }

    /** Acts on changes: plans at once, after the check delay, or not at all. */
    public void changed(Set<Change> now) {
        mainThread.assertCurrent();
        forced |= now.contains(Change.POLICY);
        boolean awaited = now.contains(Change.AWAITED_WORKER);
        boolean due = awaited || now.contains(Change.POLICY) || now.contains(Change.CLUSTER);
        if (now.contains(Change.REASONS) || due && recovering) {
            explanations.request();
        }
        if (!due) {
            return;
        }
        long delay = awaited ? 0 : settings.get().requirementCheckDelayMillis();
        due(delay);
        if (planning) {
            again = true;
        } else if (awaited) {
            check();
        } else if (!recovering) {
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

    /** A plan that is under way ends with the same. */
    private void resolveDeadlock() {
        if (!planning && !recovering && planner.isPresent()) {
            deadlocks.look();
        }
    }

    private void replan() {
        changes.mark(Change.POLICY);
    }

    private void check() {
        // One that is still to come would collect for less than the delay.
        scheduled.ifPresent(Timers.Cancellable::cancel);
        scheduled = Optional.empty();
        if (planner.isEmpty() || planning || recovering) {
            return;
        }
        if (!(forced || workers.hasChanges() || ledger.hasChanges())) {
            dueNanos = OptionalLong.empty();
            return;
        }
        forced = false;
        planning = true;
        again = false;
        stateNumber++;
        publishedSpecs = favoredSpec == 0 ? backends.specs() : backends.specsWithinLimits(favoredSpec - 1);
        PlanningInput input = new PlanningInput(
                stateNumber, workers.takeChanges(stateNumber), ledger.takeChanges(stateNumber), publishedSpecs);
        PlacementPlanner asked = planner.get();
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
            LOG.error("ResourceManager {}: planning failed; jobs keep what they have", id, failure);
            explanations.undecided(Optional.of(Reason.of(ReasonCode.PLANNING_FAILED, "planning failed: " + failure)));
            dueNanos = OptionalLong.of(due);
            markChanged(input);
            retry.failed();
        } else if (outcome instanceof PlanOutcome.Planned plan) {
            explanations.undecided(Optional.empty());
            retry.decided();
            commit(asked, due, plan);
            deadlocks.look();
        } else if (outcome instanceof PlanOutcome.NotDecided none) {
            // It stays due until somebody is there to decide.
            dueNanos = OptionalLong.of(due);
            explanations.undecided(Optional.of(none.why()));
            if (none.why().code() == ReasonCode.PLANNING_FAILED) {
                markChanged(input);
            }
            retry.undecided(none);
        }
        changes.mark(Change.DEMAND);
        changes.mark(Change.REASONS);
        if (again) {
            // What changed meanwhile has waited already: it is not collected for a whole delay once more.
            again = false;
            checkIn(Math.max(0, (dueNanos.orElseGet(clock::nanos) - clock.nanos() + 999_999) / 1_000_000));
        }
    }

    /** The planner may not have taken over what changed, or only a part. */
    private void markChanged(PlanningInput input) {
        input.workers().forEach(change -> workers.changed(change.index()));
        input.units().forEach(change -> ledger.changed(change.index()));
    }

    private void commit(PlacementPlanner asked, long due, PlanOutcome.Planned plan) {
        boolean late = workers.hasChanges() || ledger.hasChanges();
        LedgerState before = allocations.publish();
        PlanCommit commit =
                new PlanCommit(workers, ledger, backends, allocations, this::nextAllocation, plan, publishedSpecs);
        List<SlotEntry> granted = commit.commit();
        String dropped = String.join("; ", commit.dropped());
        if (!dropped.isEmpty()) {
            LOG.info("decision {}: dropped in part: {}", plan.decision(), dropped);
            if (late) {
                again = true;
            }
        }
        favorSpecs(commit);
        if (plan.decision() != 0) {
            int told = Math.min(granted.size(), PlacementPlanner.SLOTS_TOLD);
            List<CommittedSlot> slots = new ArrayList<>(told);
            granted.subList(0, told)
                    .forEach(slot -> slots.add(new CommittedSlot(
                            slot.job().id,
                            slot.kind().group().unit(),
                            slot.kind().group().group(),
                            slot.worker.id(),
                            slot.allocation,
                            slot.kind().profile())));
            long moreHash = 0;
            for (int slot = told; slot < granted.size(); slot++) {
                moreHash += granted.get(slot).ledgerHash();
            }
            long delayMicros = Math.max(0, clock.nanos() - due) / 1_000;
            asked.committed(
                    plan.decision(),
                    new PlacementPlanner.Commit(
                            slots,
                            granted.size() - told,
                            moreHash,
                            dropped,
                            before,
                            allocations.publish(),
                            delayMicros));
        }
        calls.request(granted);
        if (!granted.isEmpty()) {
            explanations.requestLater();
        }
    }

    /**
     * A policy is told of each spec how many workers it may have, not how many of all: its plan may exceed the limits of the
     * cluster. What then finds no place is planned again within shares of them, with each spec favored once, until
     * some workers are opened.
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

    private AllocationId nextAllocation() {
        return new AllocationId(id.token().epoch(), ++allocationCount);
    }
}
