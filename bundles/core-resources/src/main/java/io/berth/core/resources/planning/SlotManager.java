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
 * Allocates slots of workers to the requirements of jobs (FLIP-138, "SlotManager"). Changes are collected during the
 * check delay and planned together by the policies of the pool, one plan at a time. The outcome is checked against the
 * present state, and its slots are requested from the workers. Confined to the main thread of the ResourceManager.
 */
public final class SlotManager {

    /** Name of the only pool. */
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
    private final ReturnRequests returns;
    private final SlowPlans slowPlans;
    /** Changed on the main thread only; {@link #end} reads it after the main thread is closed. */
    private volatile Optional<PlacementPlanner> planner = Optional.empty();

    private MatchingRule rule = MatchingRule.EXACT;
    private List<SpecColumn> publishedSpecs = List.of();
    /**
     * The spec that is favored in the next plan, counted from 1; 0: each spec may use the whole limit of the cluster.
     */
    private int favoredSpec;

    private long stateNumber;
    private long allocationCount;
    private boolean recovering;
    private Optional<Timers.Cancellable> scheduled = Optional.empty();
    private boolean forced;
    private boolean planning;
    private boolean again;
    /** When the next plan is due; empty if none is. */
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
        this.returns = new ReturnRequests(id, mainThread, settings, ledger, allocations);
        this.deadlocks =
                new DeadlockDetection(id, mainThread, settings, workers, ledger, backends, this::resolveDeadlock);
    }

    /** Opens the planner. Opens another one if the matching rule changed. */
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
        allocations.listAll();
        planner = Optional.of(
                policies.openPlanner(POOL, rule, allocations::published, () -> mainThread.execute(this::replan)));
        replan();
    }

    /** Something of the previous ResourceManager is missing. Nothing is planned until {@link #recovered}. */
    public void recover(Reason why) {
        mainThread.assertCurrent();
        recovering = true;
        explanations.undecided(Optional.of(why));
    }

    /** Ends recovery: requirements are planned from now on. */
    public void recovered() {
        mainThread.assertCurrent();
        recovering = false;
        // The delay of a plan counts from now on.
        dueNanos = OptionalLong.empty();
        explanations.undecided(Optional.empty());
        replan();
    }

    public boolean isRecovering() {
        return recovering;
    }

    /** The start-up period is over: jobs are notified of shortages. */
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

    /** Closes the planner after the main thread was closed. Thread-safe. */
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

    /** A plan in progress ends with the same. */
    private void resolveDeadlock() {
        if (!planning && !recovering && planner.isPresent()) {
            deadlocks.resolve();
        }
    }

    private void replan() {
        changes.mark(Change.POLICY);
    }

    private void check() {
        // A scheduled check would come too early for later changes.
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
        PlacementPlanner asked = planner.get();
        PlanningInput input = new PlanningInput(
                stateNumber,
                workers.takeChanges(stateNumber),
                ledger.takeChanges(stateNumber),
                publishedSpecs,
                allocations.takeChanges(asked.usesSlots()));
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
            deadlocks.resolve();
            if (asked.usesSlots() && !allocations.isListed()) {
                // Another strategy decided, and it does not know the slots yet.
                forced = true;
                again = true;
            }
        } else if (outcome instanceof PlanOutcome.NotDecided none) {
            // It stays due until a policy can decide.
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
            // Changes during the plan have waited already: the delay counts from them.
            again = false;
            checkIn(Math.max(0, (dueNanos.orElseGet(clock::nanos) - clock.nanos() + 999_999) / 1_000_000));
        }
    }

    /** The planner may have applied only a part of the changes: they are part of the next input again. */
    private void markChanged(PlanningInput input) {
        input.workers().forEach(change -> workers.changed(change.index()));
        input.units().forEach(change -> ledger.changed(change.index()));
        allocations.listAll();
    }

    private void commit(PlacementPlanner asked, long due, PlanOutcome.Planned plan) {
        boolean late = workers.hasChanges() || ledger.hasChanges();
        LedgerState before = allocations.publish();
        PlanCommit commit = new PlanCommit(
                workers, ledger, backends, allocations, this::nextAllocation, plan, publishedSpecs, clock.millis());
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
                            slots,
                            granted.size() - listed,
                            moreHash,
                            dropped,
                            before,
                            allocations.publish(),
                            delayMicros));
        }
        calls.request(granted);
        returns.ask(plan);
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

    private AllocationId nextAllocation() {
        return new AllocationId(id.token().epoch(), ++allocationCount);
    }
}
