package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;

/** What units lack and what they could return, as the view shows it at the moment of the call. */
public final class UnitLacks {

    private final DemandsView demands;

    public UnitLacks(DemandsView demands) {
        this.demands = demands;
    }

    /** Whether the unit lacks a part of its minimum. */
    public boolean lacksMinimum(int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            if (demands.allocated(unit, group) < demands.minimum(unit, group)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the unit lacks a part of its minimum, or of what it desires. */
    public boolean lacks(int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            int allocated = demands.allocated(unit, group);
            if (allocated < demands.minimum(unit, group) || allocated < demands.desired(unit, group)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a group of the unit has slots above its minimum. */
    public boolean hasAboveMinimum(int unit) {
        for (int group = 0; group < demands.groups(unit); group++) {
            if (aboveMinimum(unit, group) > 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a group of the unit has slots above its minimum that are at least as large. */
    public boolean hasSlotOf(int unit, long[] size) {
        long[] slot = new long[size.length];
        for (int group = 0; group < demands.groups(unit); group++) {
            slot(unit, group, slot);
            if (aboveMinimum(unit, group) > 0 && Amounts.cover(slot, size)) {
                return true;
            }
        }
        return false;
    }

    /** How many slots the group has above its minimum. */
    public int aboveMinimum(int unit, int group) {
        return Math.max(0, demands.allocated(unit, group) - demands.minimum(unit, group));
    }

    /** What the unit lacks of its minimum, in place of what the array has. */
    public void missingMinimum(int unit, long[] into) {
        fill(unit, true, into);
    }

    /** What the whole minimum of the unit takes, in place of what the array has. */
    public void minimum(int unit, long[] into) {
        fill(unit, false, into);
    }

    /**
     * Whether the whole minimum of the unit fits what all workers have and what could be started, by sums.
     *
     * @param into what the minimum takes, in place of what the array has
     */
    boolean couldFit(int unit, long[] into) {
        minimum(unit, into);
        for (int dimension = 0; dimension < into.length; dimension++) {
            if (into[dimension] > Amounts.sum(demands.capacity(dimension), demands.startable(dimension))) {
                return false;
            }
        }
        return true;
    }

    private void fill(int unit, boolean missing, long[] into) {
        for (int dimension = 0; dimension < into.length; dimension++) {
            into[dimension] = 0;
        }
        for (int group = 0; group < demands.groups(unit); group++) {
            int slots = demands.minimum(unit, group) - (missing ? demands.allocated(unit, group) : 0);
            for (int dimension = 0; slots > 0 && dimension < into.length; dimension++) {
                into[dimension] =
                        Amounts.sum(into[dimension], Amounts.times(slots, demands.amount(unit, group, dimension)));
            }
        }
    }

    /** What a slot of the group takes, in place of what the array has. */
    public void slot(int unit, int group, long[] into) {
        for (int dimension = 0; dimension < into.length; dimension++) {
            into[dimension] = demands.amount(unit, group, dimension);
        }
    }
}
