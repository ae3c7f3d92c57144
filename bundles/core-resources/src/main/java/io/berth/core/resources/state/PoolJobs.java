package io.berth.core.resources.state;

import io.berth.core.api.policy.LedgerState;
import io.berth.core.api.policy.MatchingRule;
import io.berth.core.api.policy.PlanningInput.SlotChanges;
import io.berth.core.api.policy.PlanningInput.UnitChange;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The jobs of one pool: its matching rule, which of their units changed since the last input of the planner of the
 * pool, what its last plan noted, and the sums over their slots. Confined to the main thread; the ledger and the
 * allocations update it.
 */
public final class PoolJobs {

    private static final Comparator<UnitEntry> SUBMISSION = Comparator.<UnitEntry>comparingLong(
                    unit -> unit.job.submissionIndex())
            .thenComparing(unit -> unit.job.id)
            .thenComparing(unit -> unit.name);

    private final String name;
    private final RequirementLedger jobs;
    private final BitSet dirty = new BitSet();
    /** Units for which the last plan gave a reason or pending workers. */
    private final List<UnitEntry> noted = new ArrayList<>();

    /** Units whose present declaration no plan has seen yet. */
    private final Set<UnitEntry> unattempted = new LinkedHashSet<>();
    /** Units that have slots, but less than their minimum, and do not run. */
    private final Set<UnitEntry> holdingWithoutMinimum = new LinkedHashSet<>();

    private final SlotLedger slots = new SlotLedger();
    private final SlotChangeList slotChanges = new SlotChangeList();
    private MatchingRule rule = MatchingRule.EXACT;
    /** Whether jobs of other pools began to wait with slots on workers of this one. */
    private boolean planAgain;

    PoolJobs(String name, RequirementLedger jobs) {
        this.name = name;
        this.jobs = jobs;
    }

    /** Name of the pool. */
    public String name() {
        return name;
    }

    MatchingRule rule() {
        return rule;
    }

    public boolean hasChanges() {
        jobs.findChangedUnits();
        return planAgain || !dirty.isEmpty();
    }

    public List<UnitChange> takeChanges(long stateNumber) {
        jobs.findChangedUnits();
        planAgain = false;
        List<UnitChange> changes = new ArrayList<>(dirty.cardinality());
        for (int index = dirty.nextSetBit(0); index >= 0; index = dirty.nextSetBit(index + 1)) {
            changes.add(new UnitChange(index, unit(index).map(unit -> unit.publish(stateNumber))));
        }
        dirty.clear();
        return changes;
    }

    /** The unit of the pool with the index. */
    public Optional<UnitEntry> unit(int index) {
        return jobs.unit(index).filter(unit -> unit.job.pool() == this);
    }

    /** The planner was replaced and uses a rule: everything is a change. */
    public void restart(MatchingRule plannedBy) {
        boolean other = rule != plannedBy;
        rule = plannedBy;
        if (other) {
            jobs.each(job -> {
                if (job.pool() == this) {
                    job.mapping.rule(plannedBy);
                    jobs.touch(job);
                }
            });
        }
        jobs.eachUnit(unit -> {
            if (unit.job.pool() == this) {
                unit.unpublish();
                dirty.set(unit.index);
            }
        });
        slotChanges.stop();
    }

    /** The next input contains the index, whether a unit of the pool has it or not. Calls for no plan by itself. */
    public void changed(int index) {
        dirty.set(index);
    }

    /** Whether some unit lacks slots. */
    public boolean anyLacks() {
        return jobs.anyWatched(
                job -> job.pool() == this && job.units.values().stream().anyMatch(UnitEntry::lacks));
    }

    /** A copy, in the order of submission: units that have slots, but less than their minimum, and do not run. */
    public List<UnitEntry> holdingWithoutMinimum() {
        jobs.findChangedUnits();
        return holdingWithoutMinimum.stream().sorted(SUBMISSION).toList();
    }

    /**
     * A copy, in the order of submission: such units of other pools, whether these exist or not, that may have slots on
     * workers of this one.
     */
    public List<UnitEntry> holdingWithoutMinimumElsewhere() {
        jobs.findChangedUnits();
        return jobs.pools().stream()
                .filter(other -> other != this)
                .flatMap(other -> other.holdingWithoutMinimum.stream())
                .filter(unit -> unit.job.mayHaveSlotsElsewhere())
                .sorted(SUBMISSION)
                .toList();
    }

    /** The next plan is made even if nothing of the pool changed. */
    void planAgain() {
        planAgain = true;
    }

    /** A copy, in the order of submission: units that have less than their minimum. */
    public List<UnitEntry> belowMinimum() {
        List<UnitEntry> below = new ArrayList<>();
        jobs.eachUnit(unit -> {
            if (unit.job.pool() == this && unit.lacksMinimum()) {
                below.add(unit);
            }
        });
        below.sort(SUBMISSION);
        return below;
    }

    /** A new plan replaces the last one. What the last one noted about units no longer applies. */
    public void planned(long stateNumber) {
        noted.forEach(PoolJobs::forgetNote);
        noted.clear();
        unattempted.removeIf(unit -> {
            unit.attempted(stateNumber);
            return unit.attempted()
                    || jobs.unit(unit.index).filter(there -> there == unit).isEmpty();
        });
    }

    private static void forgetNote(UnitEntry unit) {
        unit.noted(false);
        unit.waitingFor.clear();
        unit.reason(Optional.empty());
    }

    /** The plan notes something about the unit until the next plan. */
    public void note(UnitEntry unit) {
        if (!unit.noted()) {
            unit.noted(true);
            noted.add(unit);
        }
    }

    /** The unit was declared, or came from another pool. */
    void declared(UnitEntry unit) {
        if (!unit.attempted()) {
            unattempted.add(unit);
        }
        if (holdingWithoutMinimum.contains(unit)) {
            // Its JobMaster may be a new one, which can be asked to return slots.
            jobs.waitsWithSlots(unit.job);
        }
        dirty.set(unit.index);
    }

    /** The slots or the requirements of a unit changed. */
    void changed(UnitEntry unit) {
        dirty.set(unit.index);
        if (!unit.holdsWithoutMinimum()) {
            holdingWithoutMinimum.remove(unit);
        } else if (holdingWithoutMinimum.add(unit)) {
            jobs.waitsWithSlots(unit.job);
        }
    }

    /** The unit is no longer declared, or goes to another pool. */
    void removed(UnitEntry unit) {
        unattempted.remove(unit);
        holdingWithoutMinimum.remove(unit);
        if (unit.noted()) {
            noted.remove(unit);
            forgetNote(unit);
        }
        dirty.set(unit.index);
    }

    SlotLedger slots() {
        return slots;
    }

    SlotChangeList slotChanges() {
        return slotChanges;
    }

    /**
     * Slots for the next input of the planner: all of them first, later those that changed.
     *
     * @param wanted whether the planner uses them; if not, nothing is collected
     */
    public SlotChanges takeSlotChanges(boolean wanted) {
        return wanted ? slotChanges.take(this, jobs) : slotChanges.stop();
    }

    /** Whether the planner knows the slots. */
    public boolean areSlotsListed() {
        return slotChanges.isCollecting();
    }

    /** The next input lists all slots. */
    public void listAllSlots() {
        slotChanges.stop();
    }

    /** Makes all changes up to now visible to other threads. */
    public LedgerState publish() {
        return slots.publish();
    }

    /** The slots of the jobs as last published. Thread-safe. */
    public LedgerState published() {
        return slots.state();
    }

    @Override
    public String toString() {
        return "pool " + name;
    }
}
