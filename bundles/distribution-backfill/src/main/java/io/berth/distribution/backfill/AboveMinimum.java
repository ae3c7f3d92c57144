package io.berth.distribution.backfill;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Admits the slots of a unit above its minimum. Groups feed each other, so they share them evenly. Groups of a wide unit
 * share only with groups of the same profile: a strategy pays for each run of equal slots, and packs long ones better.
 */
final class AboveMinimum {

    /** A turn is at most this part of what is missing: a wide group takes few turns, and the last slots go one by one. */
    private static final int TURNS = 16;
    /** Up to so many slots, groups of different profiles take turns. */
    private static final int MAX_MIXED = 64;

    private final DemandsView demands;
    private final RoomOverTime room;
    private final long[] slot;
    private final Map<ResourceProfile, Integer> firstOfProfile = new HashMap<>();

    /** What was admitted to the unit so far. */
    private long admitted;

    AboveMinimum(DemandsView demands, RoomOverTime room) {
        this.demands = demands;
        this.room = room;
        this.slot = new long[demands.dimensions()];
    }

    /** Admits everything up to what the unit desires, whether it fits or not. */
    void admitAll(int unit, AdmissionBuilder result) {
        admit(unit, false, 0, result);
    }

    /**
     * Admits what fits until a time, and takes it from the room.
     *
     * @return how many slots
     */
    long admitFitting(int unit, long untilMillis, AdmissionBuilder result) {
        admitted = 0;
        admit(unit, true, untilMillis, result);
        return admitted;
    }

    private void admit(int unit, boolean limited, long untilMillis, AdmissionBuilder result) {
        int groups = demands.groups(unit);
        int[] has = new int[groups];
        BitSet lacking = new BitSet(groups);
        long missing = 0;
        for (int group = 0; group < groups; group++) {
            has[group] = Math.max(demands.allocated(unit, group), demands.minimum(unit, group));
            int desired = demands.desired(unit, group);
            if (has[group] < desired) {
                lacking.set(group);
                missing += desired - has[group];
            }
        }
        if (missing <= MAX_MIXED) {
            share(unit, lacking, has, limited, untilMillis, result);
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
            BitSet sharing = equal.getOrDefault(group, new BitSet());
            sharing.set(group);
            share(unit, sharing, has, limited, untilMillis, result);
        }
    }

    /** The groups with the fewest slots take turns until they have as many as the next one, or find no room. */
    private void share(
            int unit, BitSet lacking, int[] has, boolean limited, long untilMillis, AdmissionBuilder result) {
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
                    int count = limited ? take(unit, group, turn, untilMillis) : turn;
                    if (count > 0) {
                        result.admit(unit, group, count);
                        admitted += count;
                        has[group] += count;
                    }
                    lacking.set(group, count == turn && has[group] < demands.desired(unit, group));
                }
            }
        }
    }

    private int take(int unit, int group, int most, long untilMillis) {
        for (int dimension = 0; dimension < slot.length; dimension++) {
            slot[dimension] = demands.amount(unit, group, dimension);
        }
        int count = room.count(slot, untilMillis, most);
        for (int dimension = 0; dimension < slot.length; dimension++) {
            slot[dimension] *= count;
        }
        room.take(slot, untilMillis);
        return count;
    }
}
