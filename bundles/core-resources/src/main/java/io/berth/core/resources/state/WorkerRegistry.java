package io.berth.core.resources.state;

import io.berth.core.api.InstanceId;
import io.berth.core.api.job.WorkerLabels;
import io.berth.core.api.policy.PlanningInput.Origin;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.state.Changes.Change;
import io.berth.core.resources.state.WorkerEntry.Leaving;
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
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pending, registered and releasing workers, each with an index for planners and in the one pool that its labels say.
 * Confined to the main thread.
 */
public final class WorkerRegistry {

    private static final Logger LOG = LoggerFactory.getLogger(WorkerRegistry.class);

    private final List<Optional<WorkerEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    private final NavigableMap<WorkerId, WorkerEntry> byId = new TreeMap<>();
    private final Map<Long, WorkerEntry> byInstance = new LinkedHashMap<>();
    private final SortedMap<String, SpecWorkers> bySpec = new TreeMap<>();
    /** The labels that the last worker of each kind got. */
    private final Map<String, WorkerLabels> lastLabels = new TreeMap<>();

    private final NavigableMap<WorkerId, WorkerEntry> leaving = new TreeMap<>();
    /** Workers that are gone, and that JobMasters still list as leaving. */
    private final SortedSet<WorkerId> gone = new TreeSet<>();

    private final SortedMap<String, PoolWorkers> pools = new TreeMap<>();
    /** Workers without a slot. */
    private final BitSet slotless = new BitSet();
    /** Workers that changed since {@link #eachUncounted}. */
    private final BitSet uncounted = new BitSet();

    private final Changes changes;
    /** Name of the pool of a worker, by its labels. */
    private Function<WorkerLabels, String> membership = labels -> PoolDefinition.DEFAULT_NAME;

    public WorkerRegistry(Changes changes) {
        this.changes = changes;
        ofPool(PoolDefinition.DEFAULT_NAME);
    }

    /** The workers of a pool, none if there is no such pool. */
    public PoolWorkers ofPool(String name) {
        return pools.computeIfAbsent(name, pool -> new PoolWorkers(pool, this));
    }

    /** Workers belong to other pools from now on. */
    public void membership(Function<WorkerLabels, String> poolOfLabels) {
        membership = poolOfLabels;
        for (WorkerEntry worker : all()) {
            if (!poolOf(worker.labels()).equals(worker.pool().name())) {
                change(worker, () -> assign(worker));
            }
        }
    }

    /** Name of the pool of a worker with these labels. */
    public String poolOf(WorkerLabels labels) {
        return membership.apply(labels);
    }

    /**
     * Moves the worker to the pool that its labels say. Its slots stay; what is planned on it is planned again. A plan
     * that is under way for the pool that it leaves no longer uses it, even if it comes back.
     */
    private void assign(WorkerEntry worker) {
        PoolWorkers before = worker.pool();
        PoolWorkers now = ofPool(membership.apply(worker.labels()));
        if (now == before) {
            return;
        }
        LOG.info("{}: leaves {} for {}", worker, before, now);
        before.planned(worker.index, false);
        before.changed(worker.index);
        worker.planned(0, ResourceProfile.ZERO);
        worker.pool(now);
        worker.unpublish();
        worker.slots().forEach(slot -> {
            slot.job().hasSlotsElsewhere();
            slot.job().pool().slotChanges().add(slot);
        });
        changes.mark(Change.CLUSTER);
    }

    /** Adds a pending worker. */
    public WorkerEntry add(
            WorkerId id, Origin origin, ResourceProfile total, int defaultSlots, WorkerLabels givenLabels) {
        int index = vacant.isEmpty() ? byIndex.size() : vacant.poll();
        WorkerLabels labels = labelsOf(givenLabels, origin);
        WorkerEntry worker =
                new WorkerEntry(index, id, origin, total, defaultSlots, labels, ofPool(membership.apply(labels)));
        if (index == byIndex.size()) {
            byIndex.add(Optional.of(worker));
        } else {
            byIndex.set(index, Optional.of(worker));
        }
        byId.put(id, worker);
        count(worker, 1);
        markChanged(worker);
        slotless.set(index);
        return worker;
    }

    private void count(WorkerEntry worker, int sign) {
        worker.pool().sums().count(worker, sign);
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
            markChanged(worker);
        }
    }

    /** @param costPerHour 0: as its spec */
    public void registered(
            WorkerEntry worker,
            WorkerConnection by,
            ResourceProfile total,
            int slotCount,
            WorkerLabels labels,
            double costPerHour) {
        WorkerLabels all = labelsOf(labels, worker.origin());
        change(worker, () -> {
            worker.registered(by, total, slotCount, all, costPerHour);
            assign(worker);
        });
        if (worker.planned() > 0) {
            worker.pool().awaited();
        }
        changes.mark(worker.planned() > 0 ? Change.AWAITED_WORKER : Change.CLUSTER);
        byInstance.put(by.instance().number(), worker);
        if (gone.contains(worker.id())) {
            // JobMasters would refuse the slots of this process.
            changes.mark(Change.BLOCKS);
        }
    }

    /** Operators gave it other labels or taints. */
    public void labels(WorkerEntry worker, WorkerLabels labels) {
        WorkerLabels all = labelsOf(labels, worker.origin());
        change(worker, () -> {
            worker.labels(all);
            assign(worker);
        });
        changes.mark(Change.CLUSTER);
    }

    /** What workers of specs, as BACKEND/SPEC, cost from now on, except those that state their own cost. */
    public void specCosts(SortedMap<String, Double> costs) {
        for (WorkerEntry worker : byId.values()) {
            double before = worker.origin().costPerHour();
            double now = costs.getOrDefault(worker.kind, before);
            if (now != before && !worker.costStated()) {
                worker.cost(now);
                changed(worker);
            }
        }
    }

    /** Equal labels are one object: most workers of a kind have the same. */
    private WorkerLabels labelsOf(WorkerLabels given, Origin origin) {
        WorkerLabels all = given.from(origin.backend(), origin.spec(), origin.preemptible());
        return lastLabels.compute(
                WorkerEntry.kind(origin.backend(), origin.spec()), (kind, last) -> all.equals(last) ? last : all);
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

    /**
     * The worker leaves, or no longer does.
     *
     * @param drained that an operator drains it
     * @param announced that its backend takes it away
     */
    public void leaving(WorkerEntry worker, Optional<Leaving> drained, Optional<Leaving> announced) {
        change(worker, () -> worker.leaves(drained, announced));
        listLeaving(worker);
        changes.mark(Change.CLUSTER);
        changes.mark(Change.BLOCKS);
    }

    private void listLeaving(WorkerEntry worker) {
        if (worker.leaving().isPresent() && contains(worker)) {
            leaving.put(worker.id(), worker);
        } else {
            unlist(worker.id());
        }
    }

    private void unlist(WorkerId worker) {
        if (leaving.remove(worker) != null) {
            gone.add(worker);
            changes.mark(Change.GONE);
        }
    }

    /** JobMasters receive the workers that leave as they are now. */
    public void listed() {
        gone.clear();
    }

    /** The workers that leave, by id. A copy. */
    public List<WorkerEntry> leaving() {
        return List.copyOf(leaving.values());
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

    /** Planned slots are no change for the planner. */
    void planned(WorkerEntry worker, int count, ResourceProfile amount) {
        worker.pool().sums().count(worker, -1);
        if (worker.state() == WorkerEntry.State.PENDING) {
            Optional.ofNullable(bySpec.get(worker.kind)).ifPresent(ofSpec -> ofSpec.planned(worker, count > 0));
        }
        worker.planned(count, amount);
        worker.pool().sums().count(worker, 1);
        worker.pool().planned(worker.index, count > 0);
        uncounted.set(worker.index);
    }

    public void remove(WorkerEntry worker) {
        count(worker, -1);
        // A backend may invent names of specs without end.
        if (ofSpec(worker.kind).isEmpty()) {
            bySpec.remove(worker.kind);
            lastLabels.remove(worker.kind);
        }
        worker.pool().planned(worker.index, false);
        slotless.clear(worker.index);
        worker.connection().ifPresent(by -> byInstance.remove(by.instance().number()));
        byId.remove(worker.id());
        byIndex.set(worker.index, Optional.empty());
        vacant.add(worker.index);
        markChanged(worker);
        listLeaving(worker);
    }

    public void rename(WorkerEntry worker, WorkerId id, boolean granted) {
        byId.remove(worker.id());
        unlist(worker.id());
        change(worker, () -> worker.name(id, granted));
        byId.put(id, worker);
        listLeaving(worker);
    }

    /** Adds slots of one kind to their worker: those from {@code from} on. */
    void add(List<SlotEntry> run, int from) {
        WorkerEntry worker = run.get(from).worker;
        worker.pool().sums().count(worker, -1);
        worker.add(run, from);
        slotless.clear(worker.index);
        worker.pool().sums().count(worker, 1);
        markChanged(worker);
    }

    void remove(SlotEntry slot) {
        slot.worker.pool().sums().count(slot.worker, -1);
        slot.worker.remove(slot);
        slotless.set(slot.worker.index, slot.worker.slots().isEmpty());
        slot.worker.pool().sums().count(slot.worker, 1);
        markChanged(slot.worker);
    }

    public void changed(WorkerEntry worker) {
        markChanged(worker);
        changes.mark(Change.CLUSTER);
    }

    /** The next input of the planner contains the worker. Calls for no plan by itself. */
    private void markChanged(WorkerEntry worker) {
        worker.pool().changed(worker.index);
        uncounted.set(worker.index);
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

    /** The workers of a spec, as BACKEND/SPEC. Do not keep it: the next worker after the last one has another. */
    public SpecWorkers ofSpec(String kind) {
        return bySpec.getOrDefault(kind, SpecWorkers.NONE);
    }

    /** A copy, by BACKEND/SPEC. */
    public List<SpecWorkers> specs() {
        return List.copyOf(bySpec.values());
    }

    /** The pending worker that a new process of the spec takes: preferably one with planned slots. */
    public Optional<WorkerEntry> openPending(String kind, Predicate<WorkerEntry> fits) {
        return ofSpec(kind).bestOpen(fits);
    }

    /** Of all pools. */
    public ClusterSums sums() {
        return pools.size() == 1
                ? ofPool(pools.firstKey()).sums()
                : ClusterSums.of(pools.values().stream().map(PoolWorkers::sums).toList());
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

    void each(Consumer<WorkerEntry> worker) {
        byId.values().forEach(worker);
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
