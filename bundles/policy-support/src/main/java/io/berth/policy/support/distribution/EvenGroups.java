package io.berth.policy.support.distribution;

import io.berth.spi.ResourceProfile;
import io.berth.spi.distribution.DemandsView;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * The turns in which the groups of a unit take slots above its minimum. Groups feed each other, so they share the slots
 * evenly. Groups of a wide unit share only with groups of the same profile: a strategy pays for each run of equal slots,
 * and packs long ones better.
 */
public final class EvenGroups {

    /** A turn is at most this part of what is missing: a wide group takes few turns, and the last slots go one by one. */
    private static final int TURNS = 16;
    /** Up to so many slots, groups of different profiles take turns. */
    private static final int MAX_MIXED = 64;

    /** Admits the slots of a turn. */
    public interface Taker {

        /**
         * Admits slots of a group.
         *
         * @return how many; fewer than {@code most} end the turns of the group
         */
        int take(int group, int most);
    }

    private final DemandsView demands;
    /** Reused, so that a wide unit costs less memory. */
    private final Map<ResourceProfile, Integer> firstOfProfile = new HashMap<>();

    public EvenGroups(DemandsView demands) {
        this.demands = demands;
    }

    /** Gives turns until each group has what it desires, or took fewer slots than it could. */
    public void share(int unit, Taker taker) {
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
            share(unit, lacking, has, taker);
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
            BitSet sharing = equal.get(group);
            if (sharing == null) {
                taker.take(group, demands.desired(unit, group) - has[group]);
            } else {
                sharing.set(group);
                share(unit, sharing, has, taker);
            }
        }
    }

    /** The groups with the fewest slots take turns until they have as many as the next one. */
    private void share(int unit, BitSet lacking, int[] has, Taker taker) {
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
                    int count = taker.take(group, turn);
                    has[group] += count;
                    lacking.set(group, count == turn && has[group] < demands.desired(unit, group));
                }
            }
        }
    }
}
