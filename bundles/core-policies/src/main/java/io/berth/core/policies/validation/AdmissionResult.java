package io.berth.core.policies.validation;

import io.berth.core.api.policy.PlanOutcome.Reclaim;
import io.berth.core.api.policy.PlanningInput.GroupDemand;
import io.berth.core.policies.cache.AdmittedEntries;
import io.berth.core.policies.cache.UnitTable;
import io.berth.core.policies.cache.WorkerColumns;
import io.berth.core.policies.text.PlainText;
import io.berth.spi.distribution.AdmissionBuilder;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects an admission and names the first rule that it breaks; collects nothing after that, so that a policy in an
 * endless loop does not fill the memory. Confined to the thread of one call; later calls are violations.
 */
public final class AdmissionResult implements AdmissionBuilder {

    private final UnitTable units;
    private final WorkerColumns workers;
    private final AdmittedEntries entries;
    private final SortedMap<Integer, int[]> admitted = new TreeMap<>();
    /** Units whose minimum is fulfilled or admitted, which does not change within an admission. */
    private final BitSet whole = new BitSet();

    private final SortedMap<Integer, String> deferred = new TreeMap<>();
    private final List<Reclaim> reclaims = new ArrayList<>();
    private int reclaimed;
    /** Between the begin and the end of a rank. */
    private boolean oneRank;

    private final BuilderAccess rules = new BuilderAccess();

    public AdmissionResult(UnitTable units, WorkerColumns workers) {
        this.units = units;
        this.workers = workers;
        this.entries = new AdmittedEntries(workers, units.allocations());
    }

    public BuilderAccess rules() {
        return rules;
    }

    public AdmittedEntries entries() {
        return entries;
    }

    public SortedMap<Integer, String> deferred() {
        return deferred;
    }

    @Override
    public void admitMinimum(int unit) {
        if (!rules.open() || !mayBeAdmitted(unit)) {
            return;
        }
        int groups = units.groups(unit);
        int[] counts = admitted.computeIfAbsent(unit, index -> new int[groups]);
        boolean first = true;
        for (int group = 0; group < groups; group++) {
            int missing = units.minimum(unit, group) - units.allocated(unit, group) - counts[group];
            if (missing > 0) {
                if (first) {
                    newRank();
                    entries.newGang();
                    first = false;
                }
                counts[group] += missing;
                add(unit, group, missing, true);
            }
        }
    }

    @Override
    public void admit(int unit, int group, int count) {
        if (!rules.open() || !mayBeAdmitted(unit)) {
            return;
        }
        int groups = units.groups(unit);
        if (group < 0 || group >= groups) {
            rules.violated("admits group " + group + " of unit " + named(unit) + ", which has " + groups);
            return;
        }
        if (count < 1) {
            rules.violated("admits " + count + " slots of unit " + named(unit) + ": at least 1 is allowed");
            return;
        }
        int[] counts = admitted.computeIfAbsent(unit, index -> new int[groups]);
        if (!whole.get(unit) && !hasMinimum(unit, counts)) {
            rules.violated("admits slots of unit " + named(unit) + " above its minimum before the minimum");
            return;
        }
        int missing = units.desired(unit, group) - units.allocated(unit, group) - counts[group];
        if (count > missing) {
            rules.violated("admits " + count + " slots of group " + units.groupName(unit, group) + " of unit "
                    + named(unit) + ", which misses " + missing);
            return;
        }
        counts[group] += count;
        newRank();
        add(unit, group, count, false);
    }

    private void add(int unit, int group, int count, boolean minimum) {
        entries.add(unit, group, units.unit(unit), where(unit, group), count, minimum, units.slotsOn(unit, group));
    }

    private void newRank() {
        if (!oneRank) {
            entries.newRank();
        }
    }

    @Override
    public void beginRank() {
        if (!rules.open()) {
            return;
        }
        if (oneRank) {
            rules.violated("begins a rank before it ends the one that it began");
            return;
        }
        entries.newRank();
        oneRank = true;
    }

    @Override
    public void endRank() {
        if (!rules.open()) {
            return;
        }
        if (!oneRank) {
            rules.violated("ends a rank that it did not begin");
            return;
        }
        oneRank = false;
    }

    private int where(int unit, int group) {
        return workers.feasibility().number(units.constraints(unit, group));
    }

    private boolean hasMinimum(int unit, int[] counts) {
        for (int group = 0; group < counts.length; group++) {
            if (units.allocated(unit, group) + counts[group] < units.minimum(unit, group)) {
                return false;
            }
        }
        whole.set(unit);
        return true;
    }

    @Override
    public void defer(int unit, String reason) {
        if (rules.open() && known(unit)) {
            deferred.putIfAbsent(unit, PlainText.cut(reason));
        }
    }

    @Override
    public void reclaim(int unit, int group, int count, String reason) {
        if (!rules.open() || !known(unit)) {
            return;
        }
        int groups = units.groups(unit);
        if (group < 0 || group >= groups) {
            rules.violated("reclaims slots of group " + group + " of unit " + named(unit) + ", which has " + groups);
            return;
        }
        GroupDemand has = units.unit(unit).groups().get(group);
        int before = reclaims.stream()
                .filter(one -> one.unit() == unit && one.group() == group)
                .mapToInt(Reclaim::count)
                .sum();
        int most = (has.allocated() < has.minimum() ? has.allocated() : has.allocated() - has.minimum()) - before;
        if (count < 1 || count > most) {
            rules.violated("reclaims " + count + " slots of group " + has.group() + " of unit " + named(unit)
                    + (most < 1 ? ", which has no more to return" : ": 1 to " + most + " is allowed"));
            return;
        }
        int counted = Math.min(count, MAX_RECLAIMED - reclaimed);
        if (counted > 0 && units.returnable(unit)) {
            reclaimed += counted;
            reclaims.add(new Reclaim(unit, group, counted, PlainText.cut(reason)));
        }
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<Reclaim> reclaims() {
        return reclaims;
    }

    private boolean known(int unit) {
        if (!units.present(unit)) {
            rules.violated("names unit " + unit + ", which is not there");
            return false;
        }
        return true;
    }

    private boolean mayBeAdmitted(int unit) {
        if (!known(unit)) {
            return false;
        }
        if (!units.candidate(unit)) {
            rules.violated("admits unit " + named(unit) + ", whose minimum found no room in this decision");
            return false;
        }
        return true;
    }

    private String named(int unit) {
        return units.name(unit) + " of job " + units.job(unit);
    }

    @Override
    public void reviewAfter(long millis) {
        rules.review(millis);
    }
}
