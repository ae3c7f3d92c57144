package io.berth.core.resources.state;

import io.berth.core.api.gateway.ResourceManagerGateway.RequirementsDeclaration;
import io.berth.core.api.gateway.ResourceManagerGateway.UnitRequirement;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import io.berth.core.resources.state.Changes.Change;
import io.berth.spi.JobId;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
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
import java.util.TreeMap;

/**
 * What each job requires and what it has (FLIP-138, "ResourceManager": requirement tracking). A declaration is absolute
 * and has a JobMaster epoch and a sequence number: an older one never replaces a newer one. A slot counts as soon as it
 * is requested from a worker. Confined to the main thread.
 */
public final class RequirementLedger {

    private static final int FORGOTTEN_JOBS_KEPT = 10_000;
    private static final Comparator<UnitEntry> SUBMISSION = Comparator.<UnitEntry>comparingLong(
                    unit -> unit.job.submissionIndex())
            .thenComparing(unit -> unit.job.id)
            .thenComparing(unit -> unit.name);

    private final Changes changes;
    private final SortedMap<JobId, JobEntry> jobs = new TreeMap<>();
    /** Jobs that may lack something, or whose JobMaster was notified of a shortage. */
    private final SortedMap<JobId, JobEntry> watched = new TreeMap<>();

    private final List<Optional<UnitEntry>> byIndex = new ArrayList<>();
    private final PriorityQueue<Integer> vacant = new PriorityQueue<>();
    private final BitSet dirty = new BitSet();
    /** Units for which the last plan gave a reason or pending workers. */
    private final List<UnitEntry> noted = new ArrayList<>();

    /** Units whose present declaration no plan has seen yet. */
    private final Set<UnitEntry> unattempted = new LinkedHashSet<>();
    /** Jobs whose slots or requirements changed since their changed units were looked for. */
    private final List<JobEntry> touched = new ArrayList<>();
    /** Units that have slots, but less than their minimum. */
    private final Set<UnitEntry> holdingWithoutMinimum = new LinkedHashSet<>();

    private final Map<JobId, JobEntry.Last> forgotten = new LinkedHashMap<>();
    private MatchingRule rule = MatchingRule.EXACT;

    public RequirementLedger(Changes changes) {
        this.changes = changes;
    }

    public Optional<JobEntry> find(JobId job) {
        return Optional.ofNullable(jobs.get(job));
    }

    /** The entry of the job, created if it does not exist. */
    public JobEntry job(JobId job) {
        return jobs.computeIfAbsent(job, id -> new JobEntry(id, Optional.ofNullable(forgotten.remove(id)), rule));
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

    /** Whether a unit has slots, but less than its minimum. */
    public boolean anyHoldsWithoutMinimum() {
        findChangedUnits();
        return !holdingWithoutMinimum.isEmpty();
    }

    /** A copy, in the order of submission: units that have slots, but less than their minimum. */
    public List<UnitEntry> holdingWithoutMinimum() {
        findChangedUnits();
        return holdingWithoutMinimum.stream().sorted(SUBMISSION).toList();
    }

    /** A copy, in the order of submission: units that have less than their minimum. */
    public List<UnitEntry> belowMinimum() {
        return units().stream()
                .filter(UnitEntry::lacksMinimum)
                .sorted(SUBMISSION)
                .toList();
    }

    private List<UnitEntry> units() {
        return byIndex.stream().flatMap(Optional::stream).toList();
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
        job.declared(declaration);
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
                there.declare(unit.groups());
                if (newer) {
                    there.round(GrantRound.first());
                }
            }
            if (!there.attempted()) {
                unattempted.add(there);
            }
            dirty.set(there.index);
        }
        job.mapping.require(declaration.units());
        touch(job);
        changes.mark(Change.CLUSTER);
        return true;
    }

    /** The JobMaster is lost. Its requirements are kept until they are cleared or declared again. */
    public void retain(JobEntry job) {
        job.retain();
    }

    /** The JobMaster is gone: its requirements become empty. Its slots stay until the workers report them free. */
    public void clear(JobEntry job) {
        List.copyOf(job.units.values()).forEach(this::remove);
        job.mapping.require(List.of());
        job.disconnect();
        forgetWhenEmpty(job);
        changes.mark(Change.CLUSTER);
    }

    /** Adds slots of one kind to their job: those from {@code from} on. */
    void add(List<SlotEntry> run, int from) {
        JobEntry job = run.get(from).job();
        job.acquired(run, from);
        touch(job);
    }

    void remove(SlotEntry slot) {
        JobEntry job = slot.job();
        job.lost(slot);
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
        changed(unit.index);
        changes.mark(Change.CLUSTER);
    }

    /** The next input of the planner contains the index, whether a unit has it or not. Calls for no plan by itself. */
    public void changed(int index) {
        dirty.set(index);
    }

    /** A new plan replaces the last one. What the last one noted about units no longer applies. */
    public void planned(long stateNumber) {
        noted.forEach(unit -> {
            unit.noted(false);
            unit.waitingFor.clear();
            unit.reason(Optional.empty());
        });
        noted.clear();
        unattempted.removeIf(unit -> {
            unit.attempted(stateNumber);
            return unit.attempted()
                    || unit(unit.index).filter(there -> there == unit).isEmpty();
        });
    }

    /** The plan notes something about the unit until the next plan. */
    public void note(UnitEntry unit) {
        if (!unit.noted()) {
            unit.noted(true);
            noted.add(unit);
        }
    }

    public boolean hasChanges() {
        findChangedUnits();
        return !dirty.isEmpty();
    }

    public List<UnitChange> takeChanges(long stateNumber) {
        findChangedUnits();
        List<UnitChange> changes = new ArrayList<>(dirty.cardinality());
        for (int index = dirty.nextSetBit(0); index >= 0; index = dirty.nextSetBit(index + 1)) {
            changes.add(new UnitChange(index, byIndex.get(index).map(unit -> unit.publish(stateNumber))));
        }
        dirty.clear();
        return changes;
    }

    /** The planner was replaced and uses a rule: everything is a change. */
    public void restart(MatchingRule plannedBy) {
        if (rule != plannedBy) {
            rule = plannedBy;
            jobs.values().forEach(job -> {
                job.mapping.rule(plannedBy);
                touch(job);
            });
        }
        units().forEach(unit -> {
            unit.unpublish();
            dirty.set(unit.index);
        });
    }

    /** What follows from it is found when it is asked for, because a plan changes a job once for each of its runs. */
    private void touch(JobEntry job) {
        watch(job);
        if (!job.touched()) {
            job.touched(true);
            touched.add(job);
        }
    }

    private void findChangedUnits() {
        for (JobEntry job : touched) {
            job.touched(false);
            job.mapping.eachChangedUnit(name -> {
                UnitEntry unit = job.units.get(name);
                if (unit != null) {
                    dirty.set(unit.index);
                    if (unit.holdsWithoutMinimum()) {
                        holdingWithoutMinimum.add(unit);
                    } else {
                        holdingWithoutMinimum.remove(unit);
                    }
                }
            });
        }
        touched.clear();
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
        unattempted.remove(unit);
        holdingWithoutMinimum.remove(unit);
        byIndex.set(unit.index, Optional.empty());
        vacant.add(unit.index);
        dirty.set(unit.index);
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
