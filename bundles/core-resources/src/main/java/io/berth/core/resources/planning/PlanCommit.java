package io.berth.core.resources.planning;

import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlacementRuns;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.core.resources.backends.WorkerDemand;
import io.berth.core.resources.state.Allocations;
import io.berth.core.resources.state.PoolJobs;
import io.berth.core.resources.state.PoolWorkers;
import io.berth.core.resources.state.RequirementMapping.Kind;
import io.berth.core.resources.state.SlotEntry;
import io.berth.core.resources.state.SlotGrant;
import io.berth.core.resources.state.SpecWorkers;
import io.berth.core.resources.state.UnitEntry;
import io.berth.core.resources.state.UnitGroup;
import io.berth.core.resources.state.WorkerEntry;
import io.berth.core.resources.state.WorkerRegistry;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Commits one plan of a pool to the ledger. The plan was made from an older state, so each part is checked against the present
 * one and dropped if it no longer fits. What a unit lacks of its minimum is committed completely or not at all. While a
 * part of it is planned on pending workers, nothing of the unit is requested, and its room on registered workers stays
 * planned. Confined to the main thread, used once.
 */
final class PlanCommit {

    /** How many slots are expected at most before they are added. */
    private static final int MAX_EXPECTED = 1 << 22;

    private final WorkerRegistry workers;
    private final PoolJobs jobs;
    private final WorkerDemand backends;
    private final Allocations allocations;
    private final Supplier<AllocationId> ids;
    private final Planned plan;
    private final PlacementRuns runs;
    private final List<SpecColumn> specs;
    private final long nowMillis;
    /** The opened new workers, by their index in the plan. */
    private final Map<Integer, WorkerEntry> opened = new HashMap<>();

    private final SortedSet<Integer> openedIndexes = new TreeSet<>();
    private boolean beyondLimits;

    private final List<SlotEntry> granted;
    private final List<String> dropped = new ArrayList<>();

    /** The runs of one unit, chained by their numbers in the order of the plan. */
    private static final class UnitRuns {

        private final int first;
        private int last;

        UnitRuns(int first) {
            this.first = first;
            last = first;
        }
    }

    PlanCommit(
            WorkerRegistry workers,
            PoolJobs jobs,
            WorkerDemand backends,
            Allocations allocations,
            Supplier<AllocationId> ids,
            Planned plan,
            List<SpecColumn> specs,
            long nowMillis) {
        this.workers = workers;
        this.jobs = jobs;
        this.backends = backends;
        this.allocations = allocations;
        this.ids = ids;
        this.plan = plan;
        this.specs = specs;
        this.nowMillis = nowMillis;
        runs = plan.runs();
        granted = new ArrayList<>((int) Math.min(runs.slots(), MAX_EXPECTED));
    }

    /** Replaces what the last plan left pending. Returns the slots to request, in their order. */
    List<SlotEntry> commit() {
        workers.ofPool(jobs.name()).clearPlans();
        jobs.planned(plan.stateNumber());
        plan.reasons().forEach(reason -> unit(reason.unit()).ifPresent(unit -> because(unit, reason.why())));
        allocations.expect((int) Math.min(runs.slots(), MAX_EXPECTED));
        commitRuns();
        releasePending();
        return granted;
    }

    /** Commits unit by unit, in any order of their runs. */
    private void commitRuns() {
        int[] next = new int[runs.size()];
        Map<Integer, UnitRuns> byUnit = new LinkedHashMap<>();
        int before = -1;
        UnitRuns chain = new UnitRuns(-1);
        for (int run = 0; run < runs.size(); run++) {
            if (run == 0 || runs.unit(run) != before) {
                before = runs.unit(run);
                int first = run;
                chain = byUnit.computeIfAbsent(before, unit -> new UnitRuns(first));
            }
            if (chain.first != run) {
                next[chain.last] = run;
            }
            chain.last = run;
            next[run] = -1;
        }
        byUnit.forEach((index, chained) -> unit(index)
                .ifPresentOrElse(
                        unit -> commit(unit, chained.first, next), () -> dropped.add("unit " + index + " is gone")));
    }

    /** Parts that no longer fit the present state. */
    List<String> dropped() {
        return dropped;
    }

    /** Whether the limits of the cluster or of a spec allow fewer new workers than the plan names. */
    boolean isBeyondLimits() {
        return beyondLimits;
    }

    boolean hasOpenedWorkers() {
        return !openedIndexes.isEmpty();
    }

    private Optional<UnitEntry> unit(int index) {
        return jobs.unit(index).filter(unit -> unit.isPublished(plan.stateNumber()));
    }

    private Optional<WorkerEntry> worker(int index) {
        return index >= plan.firstNew()
                ? Optional.ofNullable(opened.get(index - plan.firstNew()))
                : workers.at(index).filter(this::isUsable);
    }

    /** The worker; a new one is opened with the first unit that is committed on it. */
    private Optional<WorkerEntry> openedWorker(int index, List<Integer> openedNow) {
        int place = index - plan.firstNew();
        if (place >= 0 && place < plan.newWorkers().size() && !opened.containsKey(place)) {
            int spec = plan.newWorkers().get(place);
            boolean named = spec >= 0 && spec < specs.size();
            Optional<WorkerEntry> worker = named ? backends.open(jobs.name(), specs.get(spec)) : Optional.empty();
            worker.ifPresentOrElse(
                    there -> {
                        opened.put(place, there);
                        openedNow.add(place);
                    },
                    // A spec that is paused, gone or another one meanwhile is no limit: a plan without it follows.
                    () -> beyondLimits |= !named || backends.isAtLimit(specs.get(spec)));
        }
        return worker(index);
    }

    private void close(List<Integer> places) {
        places.forEach(place -> workers.remove(opened.remove(place)));
    }

    private boolean isUsable(WorkerEntry worker) {
        return isOfPool(worker)
                && worker.usable()
                && worker.publishedAt() > 0
                && worker.publishedAt() <= plan.stateNumber();
    }

    private boolean isOfPool(WorkerEntry worker) {
        return worker.pool().name().equals(jobs.name());
    }

    private void commit(UnitEntry unit, int first, int[] next) {
        if (!unit.round().isOpen()) {
            drop(unit, "the job refused slots in the meantime");
            return;
        }
        int begin = first;
        int end = -1;
        boolean minimum = false;
        boolean minimumPending = false;
        long ready = 0;
        List<Integer> openedNow = new ArrayList<>();
        for (int run = first; run >= 0; run = next[run]) {
            Optional<WorkerEntry> worker = openedWorker(runs.worker(run), openedNow);
            if (worker.isEmpty() || unit.group(runs.group(run)).isEmpty()) {
                drop(unit, worker.isEmpty() ? gone(runs.worker(run)) : "its requirements changed");
                if (runs.minimum(run)) {
                    close(openedNow);
                    return;
                }
                // Skips this run from now on.
                begin = run == begin ? next[run] : begin;
                if (end >= 0) {
                    next[end] = next[run];
                }
                continue;
            }
            end = run;
            boolean pending = isPending(worker.get());
            ready += pending ? 0 : runs.count(run);
            if (runs.minimum(run)) {
                minimum = true;
                minimumPending |= pending;
            }
        }
        openedNow.forEach(place -> openedIndexes.add(Objects.requireNonNull(opened.get(place)).index));
        if (!minimumPending) {
            unit.job.expectSlots((int) Math.min(ready, MAX_EXPECTED));
        }
        if (minimumPending) {
            planAll(unit, begin, next, true);
            planAll(unit, begin, next, false);
        } else if (!minimum || grantMinimum(unit, begin, next)) {
            above(unit, begin, next);
        }
    }

    private String gone(int worker) {
        return worker >= plan.firstNew() ? "no more workers of a spec may be started" : "a worker is gone";
    }

    private void planAll(UnitEntry unit, int first, int[] next, boolean minimum) {
        for (int run = first; run >= 0; run = next[run]) {
            if (runs.minimum(run) == minimum) {
                plan(unit, run);
            }
        }
    }

    private void above(UnitEntry unit, int first, int[] next) {
        for (int run = first; run >= 0; run = next[run]) {
            if (runs.minimum(run)) {
                continue;
            }
            WorkerEntry worker = worker(runs.worker(run)).orElseThrow();
            if (isPending(worker)) {
                plan(unit, run);
            } else {
                grantAbove(unit, run, worker);
            }
        }
    }

    private boolean grantMinimum(UnitEntry unit, int first, int[] next) {
        SortedMap<String, Integer> placed = new TreeMap<>();
        for (int run = first; run >= 0; run = next[run]) {
            if (runs.minimum(run)) {
                placed.merge(group(unit, run).key().group(), runs.count(run), Integer::sum);
            }
        }
        for (UnitGroup group : unit.groups()) {
            int least = group.requirement().minimum();
            int have = unit.allocated(group);
            int then = have + placed.getOrDefault(group.key().group(), 0);
            if (have < least && then < least
                    || then > Math.max(have, group.requirement().desired())) {
                drop(unit, "its requirements changed");
                return false;
            }
        }
        int before = granted.size();
        for (int run = first; run >= 0; run = next[run]) {
            if (!runs.minimum(run)) {
                continue;
            }
            WorkerEntry worker = worker(runs.worker(run)).orElseThrow();
            UnitGroup group = group(unit, run);
            if (fits(worker, group, runs.count(run)) < runs.count(run)) {
                withdraw(before);
                drop(unit, tooLate(worker, group));
                return false;
            }
            grant(unit, group, worker, runs.count(run));
        }
        return true;
    }

    private void grantAbove(UnitEntry unit, int run, WorkerEntry worker) {
        UnitGroup group = group(unit, run);
        int most = Math.min(runs.count(run), group.requirement().desired() - unit.allocated(group));
        int count = most > 0 ? fits(worker, group, most) : 0;
        if (count > 0) {
            grant(unit, group, worker, count);
        }
        if (count < runs.count(run)) {
            drop(unit, count >= most ? "its requirements changed" : tooLate(worker, group));
        }
    }

    private UnitGroup group(UnitEntry unit, int run) {
        return unit.group(runs.group(run)).orElseThrow();
    }

    private static int fits(WorkerEntry worker, UnitGroup group, int most) {
        return group.allows(worker) ? worker.fits(group.kindOn(worker).profile(), most) : 0;
    }

    private static String tooLate(WorkerEntry worker, UnitGroup group) {
        return worker + (group.allows(worker) ? " no longer has room" : " has other labels");
    }

    /** Grants slots of one kind on one worker that has room for them, in one step. */
    private void grant(UnitEntry unit, UnitGroup group, WorkerEntry worker, int count) {
        Kind kind = group.kindOn(worker);
        int from = granted.size();
        SlotGrant grant = from > 0 && isSame(granted.get(from - 1).grant(), unit, kind)
                ? granted.get(from - 1).grant()
                : new SlotGrant(unit.job, kind, plan.decision(), unit.round(), nowMillis);
        for (int slot = 0; slot < count; slot++) {
            granted.add(new SlotEntry(ids.get(), worker, grant));
        }
        allocations.grant(granted, from);
    }

    private static boolean isSame(SlotGrant grant, UnitEntry unit, Kind kind) {
        return grant.kind() == kind && grant.job() == unit.job && grant.round() == unit.round();
    }

    private void withdraw(int from) {
        List<SlotEntry> withdrawn = granted.subList(from, granted.size());
        withdrawn.forEach(allocations::remove);
        withdrawn.clear();
    }

    private void plan(UnitEntry unit, int run) {
        WorkerEntry worker = worker(runs.worker(run)).orElseThrow();
        workers.plan(worker, runs.count(run), group(unit, run).kindOn(worker).profile());
        if (isPending(worker)) {
            jobs.note(unit);
            unit.waitingFor.add(worker.kind);
        }
    }

    private static boolean isPending(WorkerEntry worker) {
        return worker.state() == WorkerEntry.State.PENDING;
    }

    /**
     * Releases pending workers that the plan saw and placed no slots on. Requests that the backend has not answered are
     * withdrawn before unregistered processes are stopped. While a spec is paused, processes are not stopped: a job may
     * need them together with workers of that spec.
     */
    private void releasePending() {
        boolean paused = backends.reports().anyPaused();
        for (SpecWorkers ofSpec : workers.specs()) {
            preferGranted(ofSpec);
            for (WorkerEntry worker : ofSpec.vacant()) {
                if (isOfPool(worker) && seen(worker) && !(paused && worker.named()) && !backends.kept(worker)) {
                    if (worker.named()) {
                        backends.unwanted(worker);
                    }
                    workers.remove(worker);
                }
            }
        }
    }

    /**
     * What workers of a spec have in common. The spec may have changed since an older one was started, and operators may
     * have given it labels.
     */
    private record Likeness(ResourceProfile total, int slots, WorkerLabels labels, PoolWorkers pool) {

        private static Likeness of(WorkerEntry worker) {
            return new Likeness(worker.total(), worker.defaultSlots(), worker.labels(), worker.pool());
        }
    }

    /** Moves planned slots from pending workers without a process to vacant ones like them with a process. */
    private void preferGranted(SpecWorkers ofSpec) {
        List<WorkerEntry> planned = ofSpec.plannedOpen();
        if (planned.isEmpty()) {
            return;
        }
        Map<Likeness, Deque<WorkerEntry>> vacant = new HashMap<>();
        ofSpec.vacantGranted().stream()
                .filter(WorkerEntry::usable)
                .forEach(worker -> vacant.computeIfAbsent(Likeness.of(worker), like -> new ArrayDeque<>())
                        .add(worker));
        if (vacant.isEmpty()) {
            return;
        }
        for (WorkerEntry worker : planned) {
            Deque<WorkerEntry> like = vacant.get(Likeness.of(worker));
            if (like != null && !like.isEmpty()) {
                workers.movePlan(worker, like.remove());
            }
        }
    }

    private boolean seen(WorkerEntry worker) {
        return worker.publishedAt() > 0 && worker.publishedAt() <= plan.stateNumber()
                || openedIndexes.contains(worker.index);
    }

    private void drop(UnitEntry unit, String why) {
        dropped.add("job " + unit.job.id + " unit " + unit.name + ": " + why);
        because(unit, Reason.of(ReasonCode.NOT_ATTEMPTED, "the plan no longer fitted and is made again: " + why));
    }

    private void because(UnitEntry unit, Reason why) {
        jobs.note(unit);
        unit.reason(Optional.of(why));
    }
}
