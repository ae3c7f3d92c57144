package io.berth.policy.rules;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Collects an admission and names the first rule that it breaks; collects nothing after that, so that a policy in an
 * endless loop does not fill the memory. Confined to the thread of one call; later calls are violations.
 */
public final class AdmissionCheck implements AdmissionBuilder {

    /** Receives what is admitted, in the order of precedence. */
    public interface Receiver {

        /** What follows has a larger rank. */
        void newRank();

        /** What follows is a part of another minimum. */
        void newGang();

        /** Slots of a group; those of a minimum follow {@link #newGang}. */
        void admitted(int unit, int group, int count, boolean minimum);
    }

    /** Slots that a job is to be asked for. */
    public record Reclaimed(int unit, int group, int count, String reason) {}

    private final DemandsView units;
    private final Receiver receiver;
    /** Slots of the groups, by unit. */
    private final Map<Integer, int[]> admitted = new HashMap<>();
    /** Of the last unit: policies mostly admit group after group of one. */
    private int[] lastCounts = {};

    private int last = -1;
    /** Units whose minimum is fulfilled or admitted, which does not change within an admission. */
    private final BitSet whole = new BitSet();

    private final SortedMap<Integer, String> deferred = new TreeMap<>();
    private final List<Reclaimed> reclaims = new ArrayList<>();
    private int reclaimed;
    /** Slots of the groups that the policy reclaims, by unit, also those that do not count. */
    private final Map<Integer, int[]> asked = new HashMap<>();
    /** Between the begin and the end of a rank. */
    private boolean oneRank;

    private final BuilderAccess rules = new BuilderAccess();

    /** @param receiver is not called after a violation */
    public AdmissionCheck(DemandsView units, Receiver receiver) {
        this.units = units;
        this.receiver = receiver;
    }

    public BuilderAccess rules() {
        return rules;
    }

    /** Why units were deferred, in the words of the policy. */
    public SortedMap<Integer, String> deferred() {
        return deferred;
    }

    @Override
    public void admitMinimum(int unit) {
        if (!rules.open() || !mayBeAdmitted(unit)) {
            return;
        }
        int groups = units.groups(unit);
        int[] counts = counts(unit, groups);
        boolean first = true;
        for (int group = 0; group < groups; group++) {
            int missing = units.minimum(unit, group) - units.allocated(unit, group) - counts[group];
            if (missing > 0) {
                if (first) {
                    newRank();
                    receiver.newGang();
                    first = false;
                }
                counts[group] += missing;
                receiver.admitted(unit, group, missing, true);
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
        int[] counts = counts(unit, groups);
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
        receiver.admitted(unit, group, count, false);
    }

    private int[] counts(int unit, int groups) {
        if (unit != last) {
            lastCounts = admitted.computeIfAbsent(unit, index -> new int[groups]);
            last = unit;
        }
        return lastCounts;
    }

    private void newRank() {
        if (!oneRank) {
            receiver.newRank();
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
        receiver.newRank();
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
        int allocated = units.allocated(unit, group);
        int minimum = units.minimum(unit, group);
        int[] before = asked.computeIfAbsent(unit, first -> new int[groups]);
        int most = (allocated < minimum ? allocated : allocated - minimum) - before[group];
        if (count < 1 || count > most) {
            rules.violated("reclaims " + count + " slots of group " + units.groupName(unit, group) + " of unit "
                    + named(unit) + (most < 1 ? ", which has no more to return" : ": 1 to " + most + " is allowed"));
            return;
        }
        String words = PlainText.cut(reason);
        if (words.isBlank()) {
            rules.violated("reclaims " + count + " slots of group " + units.groupName(unit, group) + " of unit "
                    + named(unit) + " and gives no reason: " + PlainText.REQUIRED);
            return;
        }
        before[group] += count;
        int counted = Math.min(count, MAX_RECLAIMED - reclaimed);
        if (counted > 0 && units.returnable(unit)) {
            reclaimed += counted;
            reclaims.add(new Reclaimed(unit, group, counted, words));
        }
    }

    /** The slots that jobs are to be asked for, in the order of the calls. */
    public List<Reclaimed> reclaimed() {
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
