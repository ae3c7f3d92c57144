package io.berth.core.policies.validation;

import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.policy.rules.AdmissionCheck;
import io.berth.policy.rules.BuilderAccess;
import java.util.List;
import java.util.SortedMap;

/** What a distribution policy admits, as entries for the matching strategy. Confined to the thread of one call. */
public final class AdmissionResult implements AdmissionCheck.Receiver {

    private final UnitTable units;
    private final WorkerColumns workers;
    private final AdmittedEntries entries;
    private final AdmissionCheck check;

    public AdmissionResult(UnitTable units, WorkerColumns workers) {
        this.units = units;
        this.workers = workers;
        this.entries = new AdmittedEntries(workers, units.allocations());
        this.check = new AdmissionCheck(units, this);
    }

    /** What the policy answers with. */
    public AdmissionCheck builder() {
        return check;
    }

    public BuilderAccess rules() {
        return check.rules();
    }

    public AdmittedEntries entries() {
        return entries;
    }

    public SortedMap<Integer, String> deferred() {
        return check.deferred();
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<Reclaim> reclaims() {
        return check.reclaimed().stream()
                .map(one -> new Reclaim(one.unit(), one.group(), one.count(), one.reason()))
                .toList();
    }

    @Override
    public void newRank() {
        entries.newRank();
    }

    @Override
    public void newGang() {
        entries.newGang();
    }

    @Override
    public void admitted(int unit, int group, int count, boolean minimum) {
        int where = workers.feasibility().number(units.constraints(unit, group));
        entries.add(unit, group, units.unit(unit), where, count, minimum, units.slotsOn(unit, group));
    }
}
