package io.berth.policy.support.distribution;

import io.berth.spi.distribution.AdmissionBuilder;
import io.berth.spi.distribution.DemandsView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Reclaims slots above minimums to make up a shortage: only as many as it takes, and none when all of them would not be
 * enough. What jobs were asked for a short while ago and have not returned yet counts as on its way, so that nobody else is
 * asked for the same. What they kept does not.
 */
public final class Reclaims {

    /** Who may lose how much. */
    public interface Owners {

        /** How many slots of this size, of so many, may be taken from the unit. */
        int most(int unit, long[] slot, int count);

        /** Slots of the unit are on their way back, or planned to be reclaimed. */
        void lose(int unit, long[] slot, int count);
    }

    /** Slots of a group that its job is asked for. */
    public record Planned(int unit, int group, int count) {}

    private final DemandsView demands;
    private final UnitLacks lacks;
    private final long[] missing;
    private final long[] slot;
    private final BitSet returning = new BitSet();
    private final List<Planned> planned = new ArrayList<>();
    private int asked;

    public Reclaims(DemandsView demands, UnitLacks lacks) {
        this.demands = demands;
        this.lacks = lacks;
        this.missing = new long[demands.dimensions()];
        this.slot = new long[demands.dimensions()];
    }

    /** Starts a call: nothing is reclaimed. */
    public void begin() {
        returning.clear();
        planned.clear();
        asked = 0;
    }

    /** What jobs are asked for since {@link #begin}. */
    public List<Planned> planned() {
        return List.copyOf(planned);
    }

    /** What all victims may lose, and what is on its way from them, in place of what the array has. */
    public void available(List<Integer> victims, Owners owners, long[] into) {
        Arrays.fill(into, 0);
        for (int unit : victims) {
            for (int group = 0; group < demands.groups(unit); group++) {
                Amounts.add(into, loseReturning(unit, group, owners), slot);
            }
        }
        for (int unit : victims) {
            for (int group = 0; demands.returnable(unit) && group < demands.groups(unit); group++) {
                lacks.slot(unit, group, slot);
                int above = lacks.aboveMinimum(unit, group);
                if (above > 0) {
                    int count = owners.most(unit, slot, above);
                    owners.lose(unit, slot, count);
                    Amounts.add(into, count, slot);
                }
            }
        }
    }

    /** What is on its way is lost to its owner before any other slot is. Sets {@link #slot}. */
    private int loseReturning(int unit, int group, Owners owners) {
        lacks.slot(unit, group, slot);
        int count = demands.returnable(unit) ? 0 : demands.returning(unit, group);
        if (count > 0) {
            owners.lose(unit, slot, count);
        }
        return count;
    }

    /**
     * The units that are asked for slots, or were a short while ago and are waited for. They must not be admitted more at
     * the same time.
     */
    public BitSet returning() {
        return returning;
    }

    /**
     * Makes up a shortage. When it succeeds, it is not called again before the next {@link #begin}.
     *
     * @param victims in the order in which they lose slots; only what they have above their minimum is taken
     * @param reason for people, by unit
     * @return whether what is reclaimed and what is on its way are enough
     */
    public boolean makeUp(
            long[] shortage,
            List<Integer> victims,
            Owners owners,
            IntFunction<String> reason,
            AdmissionBuilder result) {
        System.arraycopy(shortage, 0, missing, 0, missing.length);
        BitSet waitedFor = new BitSet();
        for (int unit : victims) {
            boolean needed = isShort();
            if (countReturning(unit, owners) && needed) {
                waitedFor.set(unit);
            }
        }
        List<Planned> plan = new ArrayList<>();
        for (int at = 0; at < victims.size() && isShort(); at++) {
            if (demands.returnable(victims.get(at))) {
                plan(victims.get(at), owners, plan);
            }
        }
        if (isShort()) {
            return false;
        }
        returning.or(waitedFor);
        for (Planned one : plan) {
            returning.set(one.unit());
            int count = Math.min(one.count(), AdmissionBuilder.MAX_RECLAIMED - asked);
            if (count > 0) {
                asked += count;
                planned.add(new Planned(one.unit(), one.group(), count));
                result.reclaim(one.unit(), one.group(), count, reason.apply(one.unit()));
            }
        }
        return true;
    }

    private boolean isShort() {
        for (long amount : missing) {
            if (amount > 0) {
                return true;
            }
        }
        return false;
    }

    /** @return whether the unit returns slots */
    private boolean countReturning(int unit, Owners owners) {
        boolean any = false;
        for (int group = 0; group < demands.groups(unit); group++) {
            int count = loseReturning(unit, group, owners);
            less(count);
            any |= count > 0;
        }
        return any;
    }

    private void less(int count) {
        for (int dimension = 0; dimension < missing.length; dimension++) {
            missing[dimension] = Math.max(0, missing[dimension] - Amounts.times(count, slot[dimension]));
        }
    }

    private void plan(int unit, Owners owners, List<Planned> plan) {
        for (int group = 0; group < demands.groups(unit); group++) {
            lacks.slot(unit, group, slot);
            int count = (int) Math.min(needed(), lacks.aboveMinimum(unit, group));
            count = count == 0 ? 0 : owners.most(unit, slot, count);
            if (count > 0) {
                less(count);
                owners.lose(unit, slot, count);
                plan.add(new Planned(unit, group, count));
            }
        }
    }

    /** How many such slots make up what is missing where they help; 0 where they do not. */
    private long needed() {
        long needed = 0;
        for (int dimension = 0; dimension < missing.length; dimension++) {
            if (missing[dimension] > 0 && slot[dimension] > 0) {
                needed = Math.max(needed, (missing[dimension] - 1) / slot[dimension] + 1);
            }
        }
        return needed;
    }
}
