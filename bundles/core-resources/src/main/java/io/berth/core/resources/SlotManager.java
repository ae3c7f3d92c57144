package io.berth.core.resources;

import io.berth.core.api.ResourceManagerId;
import io.berth.core.api.gateway.SlotReport;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequest;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswer;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequestAnswers;
import io.berth.core.api.gateway.TaskExecutorGateway.SlotRequests;
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
import io.berth.spi.AllocationId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import java.util.SortedSet;
import java.util.TreeSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Allocates slots of workers to what jobs require (FLIP-138, "SlotManager"). Changes are collected for a moment and
 * then planned together by the policies of the pool, one plan at a time; the outcome is checked against the state that
 * holds by then and requested from the workers. The worker is the truth of what it has (FLIP-6). Confined to the main
 * thread of the ResourceManager.
 */
final class SlotManager {

    private static final Logger LOG = LoggerFactory.getLogger(SlotManager.class);

    private final ResourceManagerId id;
    private final MainThread mainThread;
    private final Clock clock;
    private final PolicyHost policies;
    private final Supplier<ResourceSettings> settings;
    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final Backends backends;
    private final Explanations explanations;
    /** Changed on the main thread only; read by {@link #end} when that one is closed. */
    private volatile Optional<PlacementPlanner> planner = Optional.empty();
    private MatchingRule rule = MatchingRule.EXACT;
    private List<SpecColumn> publishedSpecs = List.of();
    private long stateNumber;
    private long allocationCount;
    private boolean checkScheduled;
    private boolean forced;
    private boolean planning;
    private boolean again;
    /** When the next plan is to be made; empty when nothing calls for one. */
    private OptionalLong dueNanos = OptionalLong.empty();

    SlotManager(
            ResourceManagerId id,
            MainThread mainThread,
            Clock clock,
            PolicyHost policies,
            Supplier<ResourceSettings> settings,
            WorkerRegistry workers,
            RequirementLedger ledger,
            Backends backends,
            Executor analyses) {
        this.id = id;
        this.mainThread = mainThread;
        this.clock = clock;
        this.policies = policies;
        this.settings = settings;
        this.workers = workers;
        this.ledger = ledger;
        this.backends = backends;
        this.explanations = new Explanations(id, mainThread, analyses, clock, workers, ledger, backends);
    }

    /** Opens the planner, or another one when the matching rule is another one. */
    void open() {
        mainThread.assertCurrent();
        MatchingRule configured = settings.get().matchingRule();
        if (planner.isPresent() && configured == rule) {
            return;
        }
        planner.ifPresent(PlacementPlanner::close);
        rule = configured;
        explanations.rule(rule);
        planning = false;
        workers.restart();
        ledger.restart();
        planner = Optional.of(policies.openPlanner(
                Plausibility.POOL, rule, workers.slotLedger()::state, () -> mainThread.execute(this::replan)));
        replan();
    }

    /** The start-up period is over. */
    void explainShortages() {
        mainThread.assertCurrent();
        explanations.open();
    }

    void close() {
        mainThread.assertCurrent();
        planner.ifPresent(PlacementPlanner::close);
        planner = Optional.empty();
    }

    /** The main thread is closed: lets the policies go. Any thread. */
    void end() {
        planner.ifPresent(PlacementPlanner::close);
    }

    /** Something changed: plan soon, together with what else changes until then. */
    void requestCheck() {
        mainThread.assertCurrent();
        long delay = settings.get().requirementCheckDelayMillis();
        due(delay);
        if (planning) {
            again = true;
        } else {
            checkIn(delay);
        }
    }

    private void checkIn(long delayMillis) {
        if (!checkScheduled) {
            checkScheduled = true;
            mainThread.schedule(delayMillis, this::check);
        }
    }

    /** Capacity that was waited for is there: plan at once. */
    void checkNow() {
        mainThread.assertCurrent();
        due(0);
        if (planning) {
            again = true;
        } else {
            mainThread.execute(this::check);
        }
    }

    private void due(long inMillis) {
        long at = clock.nanos() + inMillis * 1_000_000;
        if (dueNanos.isEmpty() || at - dueNanos.getAsLong() < 0) {
            dueNanos = OptionalLong.of(at);
        }
    }

    /** The policies or the specs are others: plan although no worker and no requirement changed. */
    void replan() {
        mainThread.assertCurrent();
        forced = true;
        requestCheck();
    }

    private void check() {
        checkScheduled = false;
        if (planner.isEmpty() || planning) {
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
        publishedSpecs = backends.specs();
        PlanningInput input = new PlanningInput(
                stateNumber, workers.takeChanges(stateNumber), ledger.takeChanges(stateNumber, rule), publishedSpecs);
        PlacementPlanner asked = planner.get();
        long due = dueNanos.orElseGet(clock::nanos);
        dueNanos = OptionalLong.empty();
        mainThread.whenComplete(asked.plan(input), (outcome, failure) -> planned(asked, due, outcome, failure));
    }

    private void planned(PlacementPlanner asked, long due, PlanOutcome outcome, Throwable failure) {
        if (planner.filter(present -> present == asked).isEmpty()) {
            return;
        }
        planning = false;
        if (failure != null) {
            LOG.error("ResourceManager {}: planning failed; jobs keep what they have", id, failure);
            explanations.undecided(Optional.of(Reason.of(ReasonCode.PLANNING_FAILED, "planning failed: " + failure)));
        } else if (outcome instanceof PlanOutcome.Planned plan) {
            explanations.undecided(Optional.empty());
            commit(asked, due, plan);
        } else if (outcome instanceof PlanOutcome.NotDecided none) {
            // It stays due until somebody is there to decide.
            dueNanos = OptionalLong.of(due);
            explanations.undecided(Optional.of(none.why()));
        }
        backends.declare();
        explanations.request();
        if (again) {
            // What changed meanwhile has waited already: it is not collected for a whole delay once more.
            again = false;
            checkIn(Math.max(0, (dueNanos.orElseGet(clock::nanos) - clock.nanos()) / 1_000_000));
        }
    }

    private void commit(PlacementPlanner asked, long due, PlanOutcome.Planned plan) {
        boolean late = workers.hasChanges() || ledger.hasChanges();
        LedgerState before = workers.slotLedger().state();
        PlanCommit commit =
                new PlanCommit(workers, ledger, backends, rule, this::nextAllocation, plan, publishedSpecs);
        List<PlanCommit.Granted> granted = commit.commit();
        String dropped = String.join("; ", commit.dropped());
        if (!dropped.isEmpty()) {
            LOG.info("decision {}: dropped in part: {}", plan.decision(), dropped);
            if (late) {
                again = true;
            }
        }
        if (plan.decision() != 0) {
            List<CommittedSlot> slots = new ArrayList<>(granted.size());
            granted.forEach(grant -> slots.add(new CommittedSlot(
                    grant.slot().job,
                    grant.slot().group.unit(),
                    grant.slot().group.group(),
                    grant.worker().id(),
                    grant.slot().allocation,
                    grant.slot().profile)));
            asked.committed(plan.decision(), new PlacementPlanner.Commit(
                    slots, dropped, before, workers.slotLedger().state(), (clock.nanos() - due) / 1_000));
        }
        request(granted);
        if (!granted.isEmpty()) {
            explanations.requestLater();
        }
    }

    private AllocationId nextAllocation() {
        return new AllocationId(id.token().epoch(), ++allocationCount);
    }

    private void request(List<PlanCommit.Granted> granted) {
        Map<WorkerEntry, List<SlotRequest>> byWorker = new LinkedHashMap<>();
        for (PlanCommit.Granted grant : granted) {
            grant.worker().idleSince(-1);
            // A declared unit has a JobMaster: its requirements end with its registration.
            JobEntry.Master master = grant.unit().job.master().orElseThrow();
            byWorker.computeIfAbsent(grant.worker(), worker -> new ArrayList<>())
                    .add(new SlotRequest(
                            grant.slot().allocation,
                            grant.slot().job,
                            master.endpoint(),
                            grant.slot().group.unit(),
                            grant.slot().group.group(),
                            grant.slot().profile,
                            grant.slot().decision));
        }
        byWorker.forEach((worker, requests) -> {
            WorkerConnection connection = worker.connection().orElseThrow();
            LOG.debug("{}: requesting {} slots", worker, requests.size());
            mainThread.whenComplete(
                    connection.gateway().requestSlots(new SlotRequests(id, requests)),
                    (answers, failure) -> answered(worker, connection, requests, answers, failure));
        });
    }

    private void answered(
            WorkerEntry worker,
            WorkerConnection connection,
            List<SlotRequest> requests,
            SlotRequestAnswers answers,
            Throwable failure) {
        if (!worker.isInstance(connection.instance()) || !workers.contains(worker)) {
            return;
        }
        SortedSet<AllocationId> granted = new TreeSet<>();
        String refusal = "";
        if (failure != null) {
            worker.pulse().failed();
            refusal = "no answer: " + failure.getMessage();
        } else {
            worker.pulse().heard(clock.millis());
            for (SlotRequestAnswer answer : answers.answers()) {
                if (answer.granted()) {
                    granted.add(answer.allocation());
                } else {
                    refusal = answer.refusal();
                }
            }
        }
        int lost = 0;
        for (SlotRequest request : requests) {
            Optional<SlotEntry> slot = worker.slot(request.allocation());
            if (slot.isEmpty()) {
                continue;
            }
            if (granted.contains(request.allocation())) {
                ledger.acknowledged(slot.get(), worker.heartbeat());
            } else if (slot.get().state() == SlotEntry.State.PENDING) {
                remove(worker, slot.get());
                lost++;
            }
        }
        if (lost > 0) {
            LOG.warn("{}: {} of {} slots were not granted: {}", worker, lost, requests.size(), refusal);
            block(worker, connection);
            requestCheck();
        } else {
            worker.granted();
        }
    }

    /** A worker that refuses is not asked again at once (reference 7.23). */
    private void block(WorkerEntry worker, WorkerConnection connection) {
        long pause = settings.get().refusalBackOffMillis(worker.refused());
        workers.changed(worker);
        mainThread.schedule(pause, () -> {
            if (workers.contains(worker) && worker.isInstance(connection.instance())) {
                worker.unblock();
                workers.changed(worker);
                requestCheck();
            }
        });
    }

    /** The worker says that a slot is free. */
    void slotFreed(WorkerEntry worker, AllocationId allocation) {
        mainThread.assertCurrent();
        worker.slot(allocation).ifPresent(slot -> {
            remove(worker, slot);
            requestCheck();
        });
    }

    /** The worker is gone, and its slots with it. */
    void remove(WorkerEntry worker) {
        mainThread.assertCurrent();
        worker.slots().forEach(ledger::lost);
        workers.remove(worker);
        requestCheck();
    }

    private void remove(WorkerEntry worker, SlotEntry slot) {
        workers.removeSlot(worker, slot);
        ledger.lost(slot);
    }

    /**
     * Merges what the worker reports. A slot that is requested and not reported is kept, since the request may be under
     * way; so is one that was acknowledged after the heartbeat had been sent.
     *
     * @param heartbeat number of the heartbeat that the report answers
     */
    void merge(WorkerEntry worker, SlotReport report, long heartbeat) {
        mainThread.assertCurrent();
        boolean changed = false;
        SortedSet<AllocationId> reported = new TreeSet<>();
        for (SlotReport.Slot slot : report.slots()) {
            reported.add(slot.allocation());
            Optional<SlotEntry> known = worker.slot(slot.allocation());
            if (known.isPresent()) {
                ledger.acknowledged(known.get(), heartbeat);
            } else if (!worker.freedSinceHeartbeat(slot.allocation())) {
                changed |= adopt(worker, slot, heartbeat);
            }
        }
        for (SlotEntry slot : List.copyOf(worker.slots())) {
            if (!reported.contains(slot.allocation) && slot.mustBeReportedBy(heartbeat)) {
                LOG.info("{}: slot {} of job {} is gone", worker, slot.allocation, slot.job);
                remove(worker, slot);
                changed = true;
            }
        }
        if (changed) {
            requestCheck();
        }
    }

    private boolean adopt(WorkerEntry worker, SlotReport.Slot reported, long heartbeat) {
        Optional<WorkerEntry> holder = workers.holderOf(reported.allocation());
        if (holder.isPresent() || reported.profile().isUnknown()) {
            LOG.error(
                    "{}: reports slot {} of job {} {}: ignored",
                    worker,
                    reported.allocation(),
                    reported.job(),
                    holder.map(other -> "that " + other + " has").orElse("without a profile"));
            return false;
        }
        SlotEntry slot = new SlotEntry(
                reported.allocation(),
                reported.job(),
                new GroupKey(reported.unit(), reported.group()),
                reported.profile(),
                reported.decision());
        slot.allocated(heartbeat);
        workers.adoptSlot(worker, slot);
        ledger.acquired(slot);
        worker.idleSince(-1);
        return true;
    }

    /** A backend could not start workers: jobs that wait for them are told. */
    void startFailed() {
        mainThread.assertCurrent();
        explanations.request();
    }
}
