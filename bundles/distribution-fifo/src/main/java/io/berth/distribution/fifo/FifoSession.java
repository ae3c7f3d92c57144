package io.berth.distribution.fifo;

import io.berth.spi.JobId;
import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.AdmissionSession;
import io.berth.spi.distribution.DemandsView;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Keeps only the units that lack slots, in the order of submission, so that a call does not inspect other units. */
final class FifoSession implements AdmissionSession {

    /** A turn is at most this part of what is missing: a wide group takes few turns, and the last slots go one by one. */
    private static final int TURNS = 16;
    /** Up to so many slots, groups of different profiles take turns. */
    private static final int MAX_MIXED = 64;

    private record Place(long submissionIndex, JobId job, String unitName, int unit) {}

    private final DemandsView demands;
    private final SortedSet<Place> order = new TreeSet<>(Comparator.comparingLong(Place::submissionIndex)
            .thenComparing(Place::job)
            .thenComparing(Place::unitName)
            .thenComparingInt(Place::unit));
    private final Map<Integer, Place> placeOf = new HashMap<>();
    /** Reused, so that a wide unit costs less memory. */
    private final Map<ResourceProfile, Integer> firstOfProfile = new HashMap<>();

    FifoSession(DemandsView demands) {
        this.demands = demands;
        for (int unit = 0; unit < demands.limit(); unit++) {
            update(unit);
        }
    }

    @Override
    public void delta(int[] changed) {
        for (int unit : changed) {
            update(unit);
        }
    }

    private void update(int unit) {
        Place before = placeOf.remove(unit);
        if (before != null) {
            order.remove(before);
        }
        if (demands.candidate(unit) && lacks(unit)) {
            Place place = new Place(demands.submissionIndex(unit), demands.job(unit), demands.name(unit), unit);
            placeOf.put(unit, place);
            order.add(place);
        }
    }

    private boolean lacks(int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            if (demands.allocated(unit, group) < demands.desired(unit, group)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public void admit(AdmissionBuilder result) {
        for (Place place : order) {
            int unit = place.unit();
            int groups = demands.groups(unit);
            int[] has = new int[groups];
            boolean minimum = false;
            for (int group = 0; group < groups; group++) {
                minimum |= demands.allocated(unit, group) < demands.minimum(unit, group);
                has[group] = Math.max(demands.allocated(unit, group), demands.minimum(unit, group));
            }
            if (minimum) {
                result.admitMinimum(unit);
            }
            admitAboveMinimum(unit, has, result);
        }
    }

    /**
     * Groups feed each other, so they share what is above the minimum. Groups of a wide unit only share with groups of
     * the same profile: a strategy pays for each run of equal slots, and packs long ones better.
     */
    private void admitAboveMinimum(int unit, int[] has, AdmissionBuilder result) {
        BitSet lacking = new BitSet(has.length);
        long missing = 0;
        for (int group = 0; group < has.length; group++) {
            if (has[group] < demands.desired(unit, group)) {
                lacking.set(group);
                missing += demands.desired(unit, group) - has[group];
            }
        }
        if (missing <= MAX_MIXED) {
            share(unit, lacking, has, result);
            return;
        }
        firstOfProfile.clear();
        Map<Integer, BitSet> equal = new HashMap<>();
        for (int group = lacking.nextSetBit(0); group >= 0; group = lacking.nextSetBit(group + 1)) {
            Integer first = firstOfProfile.putIfAbsent(demands.profile(unit, group), group);
            if (first != null) {
                lacking.clear(group);
                equal.computeIfAbsent(first, one -> new BitSet()).set(group);
            }
        }
        for (int group = lacking.nextSetBit(0); group >= 0; group = lacking.nextSetBit(group + 1)) {
            BitSet groups = equal.get(group);
            if (groups == null) {
                result.admit(unit, group, demands.desired(unit, group) - has[group]);
            } else {
                groups.set(group);
                share(unit, groups, has, result);
            }
        }
    }

    /** The groups with the fewest slots take turns until they have as many as the next one. */
    private void share(int unit, BitSet lacking, int[] has, AdmissionBuilder result) {
        while (!lacking.isEmpty()) {
            int level = Integer.MAX_VALUE;
            int lowest = 0;
            for (int group = lacking.nextSetBit(0); group >= 0; group = lacking.nextSetBit(group + 1)) {
                lowest = has[group] < level ? 1 : has[group] == level ? lowest + 1 : lowest;
                level = Math.min(level, has[group]);
            }
            int gap = Integer.MAX_VALUE;
            for (int group = lacking.nextSetBit(0); group >= 0; group = lacking.nextSetBit(group + 1)) {
                gap = Math.min(gap, (has[group] > level ? has[group] : demands.desired(unit, group)) - level);
            }
            int turn = lowest == 1 ? gap : Math.max(1, gap / TURNS);
            for (int group = lacking.nextSetBit(0); group >= 0; group = lacking.nextSetBit(group + 1)) {
                if (has[group] == level) {
                    result.admit(unit, group, turn);
                    has[group] += turn;
                    lacking.set(group, has[group] < demands.desired(unit, group));
                }
            }
        }
    }

    @Override
    public void close() {
        order.clear();
        placeOf.clear();
    }
}
