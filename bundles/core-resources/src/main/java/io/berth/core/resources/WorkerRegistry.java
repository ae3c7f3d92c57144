package io.berth.core.resources;

import io.berth.core.api.InstanceId;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The workers that are pending, registered or releasing, each at an index that the planner knows it by, and which of
 * them changed since the planner was last told. Confined to the main thread.
 */
final class WorkerRegistry {

    private final List<Optional<WorkerEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    private final SortedMap<WorkerId, WorkerEntry> byId = new TreeMap<>();
    private final SortedMap<Long, WorkerEntry> byInstance = new TreeMap<>();
    private final SortedMap<AllocationId, WorkerEntry> byAllocation = new TreeMap<>();
    private final SortedMap<String, SpecWorkers> bySpec = new TreeMap<>();
    private final ClusterSums sums = new ClusterSums();
    private final SortedSet<Integer> planned = new TreeSet<>();
    private final SortedSet<Integer> dirty = new TreeSet<>();
    private final SlotLedger ledger = new SlotLedger();

    /** Adds a worker that is pending. */
    WorkerEntry add(WorkerId id, String backend, String spec, ResourceProfile total, int defaultSlots) {
        int index = vacant.isEmpty() ? byIndex.size() : vacant.poll();
        WorkerEntry worker = new WorkerEntry(index, id, backend, spec, total, defaultSlots);
        if (index == byIndex.size()) {
            byIndex.add(Optional.of(worker));
        } else {
            byIndex.set(index, Optional.of(worker));
        }
        byId.put(id, worker);
        count(worker, 1);
        dirty.add(index);
        return worker;
    }

    private void count(WorkerEntry worker, int sign) {
        sums.count(worker, sign);
        SpecWorkers ofSpec = bySpec.computeIfAbsent(worker.kind, kind -> new SpecWorkers());
        if (sign > 0) {
            ofSpec.add(worker);
        } else {
            ofSpec.remove(worker);
        }
    }

    /** Changes the worker, and with it what is counted of it. One that is not here any more changes alone. */
    private void change(WorkerEntry worker, Runnable change) {
        boolean counted = contains(worker);
        if (counted) {
            count(worker, -1);
        }
        change.run();
        if (counted) {
            count(worker, 1);
            dirty.add(worker.index);
        }
    }

    void registered(
            WorkerEntry worker,
            WorkerConnection by,
            ResourceProfile total,
            int slotCount,
            SortedMap<String, String> labels,
            long now) {
        change(worker, () -> worker.registered(by, total, slotCount, labels, now));
        byInstance.put(by.instance().number(), worker);
    }

    void state(WorkerEntry worker, WorkerEntry.State next) {
        change(worker, () -> worker.state(next));
    }

    /** Whether a backend of this life of the ResourceManager started it. */
    void launched(WorkerEntry worker, boolean launched) {
        change(worker, () -> worker.launched(launched));
    }

    void blocked(WorkerEntry worker, boolean blocked) {
        change(worker, () -> worker.blocked(blocked));
    }

    /** The plan has so many more slots of a size for the worker. */
    void plan(WorkerEntry worker, int count, ResourceProfile slot) {
        planned(worker, worker.planned() + count, worker.plannedAmount().plus(slot.times(count)));
    }

    /** The plan has those slots for another worker of the same kind. */
    void movePlan(WorkerEntry from, WorkerEntry to) {
        planned(to, from.planned(), from.plannedAmount());
        planned(from, 0, ResourceProfile.ZERO);
    }

    /** Another plan takes the place of the last. */
    void clearPlans() {
        for (int index : List.copyOf(planned)) {
            at(index).ifPresent(worker -> planned(worker, 0, ResourceProfile.ZERO));
        }
        planned.clear();
    }

    /** The planner does not see plans: to it that is no change. */
    private void planned(WorkerEntry worker, int count, ResourceProfile amount) {
        sums.count(worker, -1);
        worker.planned(count, amount);
        sums.count(worker, 1);
        if (count > 0) {
            planned.add(worker.index);
        } else {
            planned.remove(worker.index);
        }
    }

    void remove(WorkerEntry worker) {
        count(worker, -1);
        planned.remove(worker.index);
        worker.connection().ifPresent(by -> byInstance.remove(by.instance().number()));
        worker.slots().forEach(slot -> {
            byAllocation.remove(slot.allocation);
            ledger.ended(slot);
        });
        byId.remove(worker.id());
        byIndex.set(worker.index, Optional.empty());
        vacant.add(worker.index);
        dirty.add(worker.index);
    }

    void rename(WorkerEntry worker, WorkerId id, boolean granted) {
        byId.remove(worker.id());
        change(worker, () -> worker.name(id, granted));
        byId.put(id, worker);
    }

    /** Adds a slot that a decision gave out. */
    void grantSlot(WorkerEntry worker, SlotEntry slot) {
        ledger.granted(worker.id(), slot);
        add(worker, slot);
    }

    /** Adds a slot that the worker says it has. */
    void adoptSlot(WorkerEntry worker, SlotEntry slot) {
        ledger.reported(worker.id(), slot);
        add(worker, slot);
    }

    private void add(WorkerEntry worker, SlotEntry slot) {
        change(worker, () -> worker.add(slot));
        byAllocation.put(slot.allocation, worker);
    }

    void removeSlot(WorkerEntry worker, SlotEntry slot) {
        change(worker, () -> worker.remove(slot));
        ledger.ended(slot);
        byAllocation.remove(slot.allocation);
    }

    /** The allocated slots, summed up; its state may be read on any thread. */
    SlotLedger slotLedger() {
        return ledger;
    }

    void changed(WorkerEntry worker) {
        changed(worker.index);
    }

    /** The planner is to be told once more of who is at the index, or that nobody is. */
    void changed(int index) {
        dirty.add(index);
    }

    Optional<WorkerEntry> find(WorkerId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Optional<WorkerEntry> find(InstanceId instance) {
        return Optional.ofNullable(byInstance.get(instance.number()));
    }

    Optional<WorkerEntry> holderOf(AllocationId allocation) {
        return Optional.ofNullable(byAllocation.get(allocation));
    }

    Optional<WorkerEntry> at(int index) {
        return index < 0 || index >= byIndex.size() ? Optional.empty() : byIndex.get(index);
    }

    /** Whether the entry still stands in the registry. */
    boolean contains(WorkerEntry worker) {
        return at(worker.index).filter(there -> there == worker).isPresent();
    }

    /** A copy, by id. */
    List<WorkerEntry> all() {
        return List.copyOf(byId.values());
    }

    /** A copy, by id: those with a connection. */
    List<WorkerEntry> connected() {
        return byId.values().stream()
                .filter(worker -> worker.connection().isPresent())
                .toList();
    }

    /** The workers of a spec, as BACKEND/SPEC. */
    SpecWorkers ofSpec(String kind) {
        return bySpec.computeIfAbsent(kind, name -> new SpecWorkers());
    }

    /** A copy, by BACKEND/SPEC. */
    List<SpecWorkers> specs() {
        return List.copyOf(bySpec.values());
    }

    /** The pending worker that a process of the spec stands for best: one that has planned slots, else any. */
    Optional<WorkerEntry> openPending(String kind, Predicate<WorkerEntry> fits) {
        Collection<WorkerEntry> open = ofSpec(kind).open();
        return open.stream()
                .filter(worker -> worker.planned() > 0 && fits.test(worker))
                .findFirst()
                .or(() -> open.stream().filter(fits).findFirst());
    }

    ClusterSums sums() {
        return sums;
    }

    boolean hasChanges() {
        return !dirty.isEmpty();
    }

    /** What changed since the last call. */
    List<WorkerChange> takeChanges(long stateNumber) {
        List<WorkerChange> changes = new ArrayList<>(dirty.size());
        for (int index : dirty) {
            changes.add(new WorkerChange(
                    index, byIndex.get(index).flatMap(worker -> worker.publish(stateNumber))));
        }
        dirty.clear();
        return changes;
    }

    /** The planner was replaced: everything is a change. */
    void restart() {
        byId.values().forEach(worker -> {
            worker.unpublish();
            dirty.add(worker.index);
        });
    }
}
