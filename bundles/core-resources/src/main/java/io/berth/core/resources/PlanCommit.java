package io.berth.core.resources;

import io.berth.core.api.gateway.ResourceManagerGateway.GroupRequirement;
import io.berth.core.api.job.Reason;
import io.berth.core.api.job.ReasonCode;
import io.berth.core.api.policy.PlanOutcome.Placement;
import io.berth.core.api.policy.PlanOutcome.Planned;
import io.berth.core.api.policy.PlanningInput.SpecColumn;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * Commits one plan to the ledger (design section 4, step 4). The plan was made from an older state, so each part is
 * checked against the present one and dropped when it does not fit any more. What a unit lacks of its minimum is
 * committed whole or not at all; while a part of it is planned on pending workers, nothing of the unit is requested,
 * and its room on registered workers stays planned. Confined to the main thread, used once.
 */
final class PlanCommit {

    private final WorkerRegistry workers;
    private final RequirementLedger ledger;
    private final Backends backends;
    private final Supplier<AllocationId> allocations;
    private final Planned plan;
    private final List<SpecColumn> specs;
    private final List<Optional<WorkerEntry>> opened = new ArrayList<>();
    private final SortedSet<Integer> openedIndexes = new TreeSet<>();
    private final List<Granted> granted = new ArrayList<>();
    private final List<String> dropped = new ArrayList<>();

    /** A slot that is to be requested from its worker. */
    record Granted(WorkerEntry worker, UnitEntry unit, SlotEntry slot) {}

    private record Run(WorkerEntry worker, GroupRequirement group, int count) {}

    PlanCommit(
            WorkerRegistry workers,
            RequirementLedger ledger,
            Backends backends,
            Supplier<AllocationId> allocations,
            Planned plan,
            List<SpecColumn> specs) {
        this.workers = workers;
        this.ledger = ledger;
        this.backends = backends;
        this.allocations = allocations;
        this.plan = plan;
        this.specs = specs;
    }

    /** Replaces what earlier plans left pending by what this one says; returns the slots to request. */
    List<Granted> commit() {
        workers.clearPlans();
        ledger.units().forEach(unit -> {
            unit.waitingFor.clear();
            unit.reason(Optional.empty());
            unit.attempted(plan.stateNumber());
        });
        plan.reasons().forEach(reason ->
                unit(reason.unit()).ifPresent(unit -> unit.reason(Optional.of(reason.why()))));
        plan.newWorkers().forEach(this::open);
        Map<Integer, List<Placement>> byUnit = new LinkedHashMap<>();
        plan.runs().list().forEach(placement ->
                byUnit.computeIfAbsent(placement.unit(), index -> new ArrayList<>()).add(placement));
        byUnit.forEach((index, placements) -> unit(index)
                .ifPresentOrElse(unit -> commit(unit, placements), () -> dropped.add("unit " + index + " is gone")));
        releasePending();
        return granted;
    }

    /** What did not fit the present state any more. */
    List<String> dropped() {
        return dropped;
    }

    private void open(int spec) {
        Optional<WorkerEntry> worker = spec < 0 || spec >= specs.size()
                ? Optional.empty()
                : backends.open(specs.get(spec).backend(), specs.get(spec).spec());
        worker.ifPresent(there -> openedIndexes.add(there.index));
        opened.add(worker);
    }

    private Optional<UnitEntry> unit(int index) {
        return ledger.unit(index)
                .filter(unit -> unit.publishedAt() > 0 && unit.publishedAt() <= plan.stateNumber());
    }

    private Optional<WorkerEntry> worker(int index) {
        if (index >= plan.firstNew()) {
            int position = index - plan.firstNew();
            return position < opened.size() ? opened.get(position) : Optional.empty();
        }
        return workers.at(index)
                .filter(worker -> worker.visible()
                        && worker.publishedAt() > 0
                        && worker.publishedAt() <= plan.stateNumber());
    }

    private void commit(UnitEntry unit, List<Placement> placements) {
        if (!unit.round().isOpen()) {
            drop(unit, "the job refused slots meanwhile");
            return;
        }
        List<Run> minimum = new ArrayList<>();
        List<Run> above = new ArrayList<>();
        for (Placement placement : placements) {
            Optional<WorkerEntry> worker = worker(placement.worker());
            Optional<GroupRequirement> group = unit.group(placement.group());
            if (worker.isEmpty() || group.isEmpty()) {
                drop(unit, worker.isEmpty() ? "a worker is gone" : "its requirements changed");
                if (placement.minimum()) {
                    return;
                }
                continue;
            }
            (placement.minimum() ? minimum : above).add(new Run(worker.get(), group.get(), placement.count()));
        }
        if (minimum.stream().anyMatch(run -> isPending(run.worker()))) {
            minimum.forEach(run -> plan(unit, run));
            above.forEach(run -> plan(unit, run));
            return;
        }
        if (!minimum.isEmpty() && !grantMinimum(unit, minimum)) {
            return;
        }
        for (Run run : above) {
            if (isPending(run.worker())) {
                plan(unit, run);
            } else {
                grantAbove(unit, run);
            }
        }
    }

    private boolean grantMinimum(UnitEntry unit, List<Run> runs) {
        SortedMap<String, Integer> placed = new TreeMap<>();
        runs.forEach(run -> placed.merge(run.group().group(), run.count(), Integer::sum));
        for (GroupRequirement group : unit.groups()) {
            int have = unit.have(group);
            int then = have + placed.getOrDefault(group.group(), 0);
            if (have < group.minimum() && then < group.minimum() || then > Math.max(have, group.desired())) {
                drop(unit, "its requirements changed");
                return false;
            }
        }
        int before = granted.size();
        for (Run run : runs) {
            for (int slot = 0; slot < run.count(); slot++) {
                if (!grant(unit, run)) {
                    withdraw(before);
                    drop(unit, run.worker() + " has no room any more");
                    return false;
                }
            }
        }
        return true;
    }

    private void grantAbove(UnitEntry unit, Run run) {
        for (int slot = 0; slot < run.count(); slot++) {
            if (unit.have(run.group()) >= run.group().desired()) {
                drop(unit, "its requirements changed");
                return;
            }
            if (!grant(unit, run)) {
                drop(unit, run.worker() + " has no room any more");
                return;
            }
        }
    }

    private boolean grant(UnitEntry unit, Run run) {
        ResourceProfile profile = size(run);
        if (!run.worker().free().covers(profile)) {
            return false;
        }
        SlotEntry slot = new SlotEntry(
                allocations.get(),
                unit.job.id,
                new GroupKey(unit.name, run.group().group()),
                profile,
                plan.decision());
        slot.granted(unit.round());
        workers.grantSlot(run.worker(), slot);
        ledger.acquired(slot);
        granted.add(new Granted(run.worker(), unit, slot));
        return true;
    }

    private void withdraw(int from) {
        List<Granted> withdrawn = granted.subList(from, granted.size());
        withdrawn.forEach(grant -> {
            workers.removeSlot(grant.worker(), grant.slot());
            ledger.lost(grant.slot());
        });
        withdrawn.clear();
    }

    private static ResourceProfile size(Run run) {
        ResourceProfile required = run.group().profile();
        return required.isUnknown() ? run.worker().defaultSlot() : required;
    }

    private void plan(UnitEntry unit, Run run) {
        workers.plan(run.worker(), run.count(), size(run));
        if (isPending(run.worker())) {
            unit.waitingFor.add(run.worker().kind);
        }
    }

    private static boolean isPending(WorkerEntry worker) {
        return worker.state() == WorkerEntry.State.PENDING;
    }

    /**
     * Pending workers that the plan saw and has no slots on are not needed: requests that were not granted are withdrawn
     * before processes that have not registered are ended (reference 1.9).
     */
    private void releasePending() {
        for (SpecWorkers ofSpec : workers.specs()) {
            preferGranted(ofSpec);
            List<WorkerEntry> pending = new ArrayList<>(ofSpec.open());
            pending.addAll(ofSpec.granted());
            for (WorkerEntry worker : pending) {
                if (worker.planned() == 0 && seen(worker) && !backends.kept(worker)) {
                    if (worker.named()) {
                        backends.unwanted(worker);
                    }
                    workers.remove(worker);
                }
            }
        }
    }

    /** Pending workers of a spec are alike: what is planned on a request is better planned on one that was granted. */
    private void preferGranted(SpecWorkers ofSpec) {
        Iterator<WorkerEntry> vacant = List.copyOf(ofSpec.granted()).stream()
                .filter(worker -> worker.planned() == 0)
                .iterator();
        for (WorkerEntry worker : List.copyOf(ofSpec.open())) {
            if (worker.planned() > 0 && vacant.hasNext()) {
                workers.movePlan(worker, vacant.next());
            }
        }
    }

    private boolean seen(WorkerEntry worker) {
        return worker.publishedAt() > 0 && worker.publishedAt() <= plan.stateNumber()
                || openedIndexes.contains(worker.index);
    }

    private void drop(UnitEntry unit, String why) {
        dropped.add("job " + unit.job.id + " unit " + unit.name + ": " + why);
        unit.reason(Optional.of(
                Reason.of(ReasonCode.NOT_ATTEMPTED, "the plan did not fit any more and is made again: " + why)));
    }
}
