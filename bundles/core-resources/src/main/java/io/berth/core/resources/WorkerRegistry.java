package io.berth.core.resources;

import io.berth.core.api.InstanceId;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.spi.AllocationId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The workers that are pending, registered or releasing, each at an index that the planner knows it by, and which of
 * them changed since the planner was last told. Confined to the main thread.
 */
final class WorkerRegistry {

    private final List<Optional<WorkerEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    private final SortedMap<WorkerId, WorkerEntry> byId = new TreeMap<>();
    private final SortedMap<AllocationId, WorkerEntry> byAllocation = new TreeMap<>();
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
        dirty.add(index);
        return worker;
    }

    void remove(WorkerEntry worker) {
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
        worker.name(id, granted);
        byId.put(id, worker);
        dirty.add(worker.index);
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
        worker.add(slot);
        byAllocation.put(slot.allocation, worker);
        dirty.add(worker.index);
    }

    void removeSlot(WorkerEntry worker, SlotEntry slot) {
        worker.remove(slot);
        ledger.ended(slot);
        byAllocation.remove(slot.allocation);
        dirty.add(worker.index);
    }

    /** The allocated slots, summed up; its state may be read on any thread. */
    SlotLedger slotLedger() {
        return ledger;
    }

    void changed(WorkerEntry worker) {
        dirty.add(worker.index);
    }

    Optional<WorkerEntry> find(WorkerId id) {
        return Optional.ofNullable(byId.get(id));
    }

    Optional<WorkerEntry> find(InstanceId instance) {
        return byId.values().stream().filter(worker -> worker.isInstance(instance)).findFirst();
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

    /** A copy, by id. */
    List<WorkerEntry> pending() {
        return byId.values().stream()
                .filter(worker -> worker.state() == WorkerEntry.State.PENDING)
                .toList();
    }

    /** The pending worker that a process of the spec stands for best: one that has planned slots, else any. */
    Optional<WorkerEntry> openPending(String backend, String spec) {
        List<WorkerEntry> open = pending().stream()
                .filter(worker -> !worker.named() && worker.of(backend, spec))
                .toList();
        return open.stream()
                .filter(worker -> worker.planned() > 0)
                .findFirst()
                .or(() -> open.stream().findFirst());
    }

    /** How many workers of a spec are pending, or run and were started by the backend; those that are to end apart. */
    int count(String backend, String spec, boolean withReleasing) {
        int count = 0;
        for (WorkerEntry worker : byId.values()) {
            boolean counts = worker.state() == WorkerEntry.State.PENDING
                    || worker.launched() && (withReleasing || worker.state() != WorkerEntry.State.RELEASING);
            if (counts && worker.of(backend, spec)) {
                count++;
            }
        }
        return count;
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
