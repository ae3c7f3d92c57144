package io.berth.core.resources.state;

import io.berth.core.api.InstanceId;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PlanningInput.WorkerChange;
import io.berth.core.resources.state.Changes.Change;
import io.berth.spi.ResourceProfile;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntConsumer;
import java.util.function.Predicate;

/**
 * Pending, registered and releasing workers, each with an index for the planner, and which of them changed since the
 * last input of the planner. Confined to the main thread.
 */
public final class WorkerRegistry {

    private final List<Optional<WorkerEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    private final NavigableMap<WorkerId, WorkerEntry> byId = new TreeMap<>();
    private final Map<Long, WorkerEntry> byInstance = new LinkedHashMap<>();
    private final SortedMap<String, SpecWorkers> bySpec = new TreeMap<>();
    /** The labels that the last worker of each kind got. */
    private final Map<String, WorkerLabels> lastLabels = new TreeMap<>();

    private final ClusterSums sums = new ClusterSums();
    private final BitSet planned = new BitSet();
    private final BitSet dirty = new BitSet();
    /** Workers without a slot. */
    private final BitSet slotless = new BitSet();
    /** Workers that changed since {@link #eachUncounted}. */
    private final BitSet uncounted = new BitSet();

    private final Changes changes;

    public WorkerRegistry(Changes changes) {
        this.changes = changes;
    }

    /** Adds a pending worker. */
    public WorkerEntry add(
            WorkerId id, Origin origin, ResourceProfile total, int defaultSlots, WorkerLabels givenLabels) {
        int index = vacant.isEmpty() ? byIndex.size() : vacant.poll();
        WorkerEntry worker = new WorkerEntry(
                index, id, origin, total, defaultSlots, labelsOf(givenLabels, origin.backend(), origin.spec()));
        if (index == byIndex.size()) {
            byIndex.add(Optional.of(worker));
        } else {
            byIndex.set(index, Optional.of(worker));
        }
        byId.put(id, worker);
        count(worker, 1);
        changed(index);
        slotless.set(index);
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

    /** Changes the worker and updates the sums, unless the worker was removed. */
    private void change(WorkerEntry worker, Runnable change) {
        boolean counted = contains(worker);
        if (counted) {
            count(worker, -1);
        }
        change.run();
        if (counted) {
            count(worker, 1);
            changed(worker.index);
        }
    }

    public void registered(
            WorkerEntry worker, WorkerConnection by, ResourceProfile total, int slotCount, WorkerLabels labels) {
        changes.mark(worker.planned() > 0 ? Change.AWAITED_WORKER : Change.CLUSTER);
        WorkerLabels all = labelsOf(labels, worker.backend, worker.spec);
        change(worker, () -> worker.registered(by, total, slotCount, all));
        byInstance.put(by.instance().number(), worker);
    }

    /** Operators gave it other labels or taints. */
    public void labels(WorkerEntry worker, WorkerLabels labels) {
        WorkerLabels all = labelsOf(labels, worker.backend, worker.spec);
        change(worker, () -> worker.labels(all));
        changes.mark(Change.CLUSTER);
    }

    /** Equal labels are one object: most workers of a kind have the same. */
    private WorkerLabels labelsOf(WorkerLabels given, String backend, String spec) {
        WorkerLabels all = given.from(backend, spec);
        return lastLabels.compute(WorkerEntry.kind(backend, spec), (kind, last) -> all.equals(last) ? last : all);
    }

    public void state(WorkerEntry worker, WorkerEntry.State next) {
        change(worker, () -> worker.state(next));
    }

    /** Whether a backend started it in this term of the ResourceManager. */
    public void launched(WorkerEntry worker, boolean launched) {
        change(worker, () -> worker.launched(launched));
    }

    public void blocked(WorkerEntry worker, boolean blocked) {
        change(worker, () -> worker.blocked(blocked));
        changes.mark(Change.CLUSTER);
    }

    /** Plans more slots of a size on the worker. */
    public void plan(WorkerEntry worker, int count, ResourceProfile slot) {
        planned(worker, worker.planned() + count, worker.plannedAmount().plus(slot.times(count)));
    }

    /** Moves the planned slots to another worker of the same kind. */
    public void movePlan(WorkerEntry from, WorkerEntry to) {
        planned(to, from.planned(), from.plannedAmount());
        planned(from, 0, ResourceProfile.ZERO);
    }

    /** A new plan replaces the last one. */
    public void clearPlans() {
        for (int index = planned.nextSetBit(0); index >= 0; index = planned.nextSetBit(index + 1)) {
            at(index).ifPresent(worker -> planned(worker, 0, ResourceProfile.ZERO));
        }
    }

    /** Planned slots are no change for the planner. */
    private void planned(WorkerEntry worker, int count, ResourceProfile amount) {
        sums.count(worker, -1);
        if (worker.state() == WorkerEntry.State.PENDING) {
            ofSpec(worker.kind).planned(worker, count > 0);
        }
        worker.planned(count, amount);
        sums.count(worker, 1);
        planned.set(worker.index, count > 0);
        uncounted.set(worker.index);
    }

    public void remove(WorkerEntry worker) {
        count(worker, -1);
        planned.clear(worker.index);
        slotless.clear(worker.index);
        worker.connection().ifPresent(by -> byInstance.remove(by.instance().number()));
        byId.remove(worker.id());
        byIndex.set(worker.index, Optional.empty());
        vacant.add(worker.index);
        changed(worker.index);
    }

    public void rename(WorkerEntry worker, WorkerId id, boolean granted) {
        byId.remove(worker.id());
        change(worker, () -> worker.name(id, granted));
        byId.put(id, worker);
    }

    /** Adds slots of one kind to their worker: those from {@code from} on. */
    void add(List<SlotEntry> run, int from) {
        WorkerEntry worker = run.get(from).worker;
        sums.count(worker, -1);
        worker.add(run, from);
        slotless.clear(worker.index);
        sums.count(worker, 1);
        changed(worker.index);
    }

    void remove(SlotEntry slot) {
        sums.count(slot.worker, -1);
        slot.worker.remove(slot);
        slotless.set(slot.worker.index, slot.worker.slots().isEmpty());
        sums.count(slot.worker, 1);
        changed(slot.worker.index);
    }

    public void changed(WorkerEntry worker) {
        changed(worker.index);
        changes.mark(Change.CLUSTER);
    }

    /**
     * The next input of the planner contains the index, whether a worker has it or not. Calls for no plan by itself.
     */
    public void changed(int index) {
        dirty.set(index);
        uncounted.set(index);
    }

    public Optional<WorkerEntry> find(WorkerId id) {
        return Optional.ofNullable(byId.get(id));
    }

    public Optional<WorkerEntry> find(InstanceId instance) {
        return Optional.ofNullable(byInstance.get(instance.number()));
    }

    public Optional<WorkerEntry> at(int index) {
        return index < 0 || index >= byIndex.size() ? Optional.empty() : byIndex.get(index);
    }

    /** Whether the worker was not removed. */
    public boolean contains(WorkerEntry worker) {
        return at(worker.index).filter(there -> there == worker).isPresent();
    }

    /** Workers after the given one, by id. A view: do not keep it. */
    public Collection<WorkerEntry> after(Optional<WorkerId> worker) {
        return worker.map(id -> byId.tailMap(id, false)).orElse(byId).values();
    }

    /** A copy, by id. */
    public List<WorkerEntry> all() {
        return List.copyOf(byId.values());
    }

    /** A copy, by id: workers with a connection. */
    public List<WorkerEntry> connected() {
        return byId.values().stream()
                .filter(worker -> worker.connection().isPresent())
                .toList();
    }

    /** A copy, by id: workers with a connection and without a slot. */
    public List<WorkerEntry> unused() {
        return slotless.stream()
                .mapToObj(byIndex::get)
                .flatMap(Optional::stream)
                .filter(worker -> worker.connection().isPresent())
                .sorted(Comparator.comparing(WorkerEntry::id))
                .toList();
    }

    /** The workers of a spec, as BACKEND/SPEC. */
    public SpecWorkers ofSpec(String kind) {
        return bySpec.computeIfAbsent(kind, name -> new SpecWorkers());
    }

    /** A copy, by BACKEND/SPEC. */
    public List<SpecWorkers> specs() {
        return List.copyOf(bySpec.values());
    }

    /** The pending worker that a new process of the spec takes: preferably one with planned slots. */
    public Optional<WorkerEntry> openPending(String kind, Predicate<WorkerEntry> fits) {
        return ofSpec(kind).bestOpen(fits);
    }

    public ClusterSums sums() {
        return sums;
    }

    public boolean hasChanges() {
        return !dirty.isEmpty();
    }

    /** What changed since the last call. */
    public List<WorkerChange> takeChanges(long stateNumber) {
        List<WorkerChange> changes = new ArrayList<>(dirty.cardinality());
        for (int index = dirty.nextSetBit(0); index >= 0; index = dirty.nextSetBit(index + 1)) {
            changes.add(new WorkerChange(index, byIndex.get(index).flatMap(worker -> worker.publish(stateNumber))));
        }
        dirty.clear();
        return changes;
    }

    /**
     * Calls back for each index whose worker was added, removed or changed since the last call, including planned
     * slots.
     */
    public void eachUncounted(IntConsumer index) {
        for (int next = uncounted.nextSetBit(0); next >= 0; next = uncounted.nextSetBit(next + 1)) {
            index.accept(next);
        }
        // In place: a new set would allocate for all workers at the next change.
        uncounted.clear();
    }

    /** The planner was replaced: every worker is a change. */
    public void restart() {
        byId.values().forEach(worker -> {
            worker.unpublish();
            changed(worker.index);
        });
    }

    /** The workers that an operator means: by id, by address HOST:PORT, or all of a host. */
    public List<WorkerEntry> named(String target) {
        List<WorkerEntry> named = new ArrayList<>();
        for (WorkerEntry worker : all()) {
            boolean there = worker.connection()
                    .map(connection -> connection.endpoint().address())
                    .filter(address ->
                            address.toString().equals(target) || address.host().equals(target))
                    .isPresent();
            if (there || worker.id().value().equals(target)) {
                named.add(worker);
            }
        }
        return named;
    }
}
