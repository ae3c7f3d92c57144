package io.berth.core.resources.state;

import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.policy.PoolDefinition;
import io.berth.core.resources.state.Changes.Change;
import io.berth.spi.JobId;
import io.berth.spi.WorkerId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What each job requires and what it has (FLIP-138, "ResourceManager": requirement tracking). A declaration is absolute
 * and has a JobMaster epoch and a sequence number: an older one never replaces a newer one. A slot counts as soon as it
 * is requested from a worker. Confined to the main thread.
 */
public final class RequirementLedger {

    private static final int FORGOTTEN_JOBS_KEPT = 10_000;

    private final Changes changes;
    private final SortedMap<JobId, JobEntry> jobs = new TreeMap<>();
    /** Jobs that may lack something, or whose JobMaster was notified of a shortage. */
    private final SortedMap<JobId, JobEntry> watched = new TreeMap<>();

    private final List<Optional<UnitEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    /** Jobs whose slots or requirements changed since their changed units were looked for. */
    private final List<JobEntry> touched = new ArrayList<>();

    private final Map<JobId, JobEntry.Last> forgotten = new LinkedHashMap<>();
    private final SortedMap<String, PoolJobs> pools = new TreeMap<>();

    public RequirementLedger(Changes changes) {
        this.changes = changes;
    }

    /** The jobs of a pool, whether there is such a pool or not. */
    public PoolJobs ofPool(String name) {
        return pools.computeIfAbsent(name, pool -> new PoolJobs(pool, this));
    }

    /** A copy, by name: all pools that were ever named. */
    public List<PoolJobs> pools() {
        return List.copyOf(pools.values());
    }

    public Optional<JobEntry> find(JobId job) {
        return Optional.ofNullable(jobs.get(job));
    }

    /** The entry of the job, created in the default pool if it does not exist. */
    public JobEntry job(JobId job) {
        return jobs.computeIfAbsent(
                job,
                id -> new JobEntry(id, Optional.ofNullable(forgotten.remove(id)), ofPool(PoolDefinition.DEFAULT_NAME)));
    }

    /** The JobMaster says to which pool the job belongs. Its slots come along. */
    public void assign(JobEntry job, String pool) {
        PoolJobs before = job.pool();
        PoolJobs now = ofPool(pool.isEmpty() ? PoolDefinition.DEFAULT_NAME : pool);
        if (now == before) {
            return;
        }
        findChangedUnits();
        job.units.values().forEach(before::removed);
        List<SlotEntry> slots = job.allSlots();
        if (!slots.isEmpty()) {
            job.hasSlotsElsewhere();
        }
        slots.forEach(slot -> {
            before.slots().ended(slot);
            before.slotChanges().add(slot);
        });
        job.pool(now);
        job.mapping.rule(now.rule());
        slots.forEach(slot -> {
            now.slots().reported(List.of(slot));
            now.slotChanges().add(slot);
        });
        job.units.values().forEach(unit -> {
            unit.unpublish();
            now.declared(unit);
        });
        touch(job);
        changes.mark(Change.CLUSTER);
    }

    /** A copy, by id. */
    public List<JobEntry> all() {
        return List.copyOf(jobs.values());
    }

    /**
     * The next job after the given one, by id, that is watched; without one, the first. A job is watched from a change
     * until {@link #settled}.
     */
    public Optional<JobEntry> watchedAfter(Optional<JobId> job) {
        SortedMap<JobId, JobEntry> rest = watched;
        if (job.isPresent()) {
            rest = watched.tailMap(job.get());
            if (!rest.isEmpty() && rest.firstKey().equals(job.get())) {
                Iterator<JobEntry> behind = rest.values().iterator();
                behind.next();
                return behind.hasNext() ? Optional.of(behind.next()) : Optional.empty();
            }
        }
        return rest.isEmpty() ? Optional.empty() : Optional.of(Objects.requireNonNull(rest.get(rest.firstKey())));
    }

    /** The job has everything that it requires, and its JobMaster needs no notice. */
    public void settled(JobEntry job) {
        job.watched(false);
        watched.remove(job.id);
    }

    /** The JobMaster of the job may need a notice. */
    public void watch(JobEntry job) {
        if (!job.watched()) {
            job.watched(true);
            watched.put(job.id, job);
        }
    }

    public Optional<UnitEntry> unit(int index) {
        return index < 0 || index >= byIndex.size() ? Optional.empty() : byIndex.get(index);
    }

    /** Makes all changes of slots up to now visible to other threads. */
    void publish() {
        pools.values().forEach(PoolJobs::publish);
    }

    boolean anyWatched(Predicate<JobEntry> which) {
        return watched.values().stream().anyMatch(which);
    }

    void each(Consumer<JobEntry> job) {
        jobs.values().forEach(job);
    }

    void eachUnit(Consumer<UnitEntry> unit) {
        byIndex.forEach(there -> there.ifPresent(unit));
    }

    /**
     * Applies a declaration of the registered JobMaster.
     *
     * @return false if a newer one of the same JobMaster was applied before
     */
    public boolean declare(JobEntry job, RequirementsDeclaration declaration) {
        if (declaration.sequence() < job.sequence()) {
            return false;
        }
        boolean newer = declaration.sequence() > job.sequence();
        boolean measured = job.declaresOnlyItsLastRescale(declaration);
        job.declared(declaration);
        assign(job, declaration.attributes().pool());
        SortedMap<String, UnitRequirement> declared = new TreeMap<>();
        declaration.units().forEach(unit -> declared.put(unit.unit(), unit));
        for (UnitEntry unit : List.copyOf(job.units.values())) {
            if (!declared.containsKey(unit.name)) {
                remove(unit);
            }
        }
        // The indexes of a job's units follow the order of the declaration.
        for (UnitRequirement unit : declaration.units()) {
            UnitEntry there = job.units.get(unit.unit());
            if (there == null) {
                there = add(job, unit);
            } else {
                boolean changed = there.declare(unit.groups());
                if (newer && (changed || !measured)) {
                    there.round(GrantRound.first());
                }
            }
            there.runsWithLess(unit.runsWithLess());
            job.pool().declared(there);
        }
        job.mapping.require(declaration.units());
        touch(job);
        changes.mark(Change.CLUSTER);
        return true;
    }

    /** The JobMaster of the job has acknowledged that these workers leave, and no others. */
    public void leaves(JobEntry job, SortedSet<WorkerId> workers) {
        if (job.leaves(workers)) {
            moved(job);
        }
    }

    /** The worker no longer leaves: its slots count from now on, before the JobMasters know. */
    public void stays(WorkerEntry worker) {
        Set<JobEntry> there = new LinkedHashSet<>();
        worker.slots().forEach(slot -> there.add(slot.job()));
        there.forEach(job -> {
            if (job.countMoving()) {
                moved(job);
            }
        });
    }

    private void moved(JobEntry job) {
        touch(job);
        // Whether slots may be returned changes too.
        job.units.values().forEach(this::changedLater);
        changes.mark(Change.CLUSTER);
    }

    /** The JobMaster is lost. Its requirements are kept until they are cleared or declared again. */
    public void retain(JobEntry job) {
        job.retain();
    }

    /** The JobMaster is gone: its requirements become empty. Its slots stay until the workers report them free. */
    public void clear(JobEntry job) {
        List.copyOf(job.units.values()).forEach(this::remove);
        job.mapping.require(List.of());
        job.leaves(Collections.emptySortedSet());
        job.disconnect();
        forgetWhenEmpty(job);
        changes.mark(Change.CLUSTER);
    }

    /** Adds slots of one kind to their job: those from {@code from} on. */
    void add(List<SlotEntry> run, int from) {
        JobEntry job = run.get(from).job();
        job.acquired(run, from);
        if (!run.get(from).worker.pool().name().equals(job.pool().name())) {
            job.hasSlotsElsewhere();
        }
        touch(job);
    }

    void remove(SlotEntry slot) {
        JobEntry job = slot.job();
        boolean last = slot.isMoving() && job.moving() == 1;
        job.lost(slot);
        if (last) {
            // Slots may be returned again.
            job.units.values().forEach(this::changedLater);
        }
        slot.ended();
        touch(job);
        forgetWhenEmpty(job);
    }

    /** The unit that the slot was allocated for, if it is still declared. */
    public Optional<UnitEntry> unitOf(SlotEntry slot) {
        return Optional.ofNullable(slot.job().units.get(slot.kind().group().unit()));
    }

    /** The planner must see the changed unit. */
    public void changed(UnitEntry unit) {
        changedLater(unit);
        changes.mark(Change.CLUSTER);
    }

    /** The next input of the planner contains the unit. Calls for no plan by itself. */
    public void changedLater(UnitEntry unit) {
        unit.job.pool().changed(unit.index);
    }

    /** What follows from it is found when it is asked for, because a plan changes a job once for each of its runs. */
    void touch(JobEntry job) {
        watch(job);
        if (!job.touched()) {
            job.touched(true);
            touched.add(job);
        }
    }

    void findChangedUnits() {
        for (JobEntry job : touched) {
            job.touched(false);
            job.mapping.eachChangedUnit(name -> {
                UnitEntry unit = job.units.get(name);
                if (unit != null) {
                    job.pool().changed(unit);
                }
            });
        }
        touched.clear();
    }

    /**
     * A unit of the job waits with slots. Those on workers of other pools may be what jobs there wait for: these pools
     * plan again.
     */
    void waitsWithSlots(JobEntry job) {
        for (String name : job.poolsElsewhere()) {
            Optional.ofNullable(pools.get(name)).ifPresent(PoolJobs::planAgain);
            changes.mark(Change.CLUSTER);
        }
    }

    private UnitEntry add(JobEntry job, UnitRequirement declared) {
        int index = vacant.isEmpty() ? byIndex.size() : vacant.poll();
        UnitEntry unit = new UnitEntry(index, job, declared.unit(), declared.groups());
        if (index == byIndex.size()) {
            byIndex.add(Optional.of(unit));
        } else {
            byIndex.set(index, Optional.of(unit));
        }
        job.units.put(unit.name, unit);
        return unit;
    }

    private void remove(UnitEntry unit) {
        unit.job.units.remove(unit.name);
        unit.job.pool().removed(unit);
        byIndex.set(unit.index, Optional.empty());
        vacant.add(unit.index);
    }

    /** Drops the entry of a job that neither requires nor has anything, but remembers its last declaration. */
    public void forgetWhenEmpty(JobEntry job) {
        if (job.target().isEmpty() && job.slots() == 0 && job.units.isEmpty()) {
            jobs.remove(job.id);
            settled(job);
            job.last().ifPresent(last -> forgotten.put(job.id, last));
            if (forgotten.size() > FORGOTTEN_JOBS_KEPT) {
                forgotten.remove(forgotten.keySet().iterator().next());
            }
        }
    }
}
