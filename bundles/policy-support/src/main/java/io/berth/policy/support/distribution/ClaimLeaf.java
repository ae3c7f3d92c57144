package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one claimant may still be admitted in a call: the minimums of its units, then their slots above, in order. */
final class ClaimLeaf {

    private final DemandsView demands;
    private final List<Integer> units;
    /** Positions of units whose minimum was not looked at. */
    private final BitSet minimums = new BitSet();
    /** Positions of units that have their minimum, or are admitted it, and may be admitted more. */
    private final BitSet whole = new BitSet();

    private int position;
    private boolean above;
    private @Nullable SlotTurns turns;

    /** @param units that may be admitted and lack slots, in order */
    ClaimLeaf(DemandsView demands, List<Integer> units) {
        this.demands = demands;
        this.units = units;
    }

    List<Integer> units() {
        return units;
    }

    /** The unit at a position lacks a part of its minimum. */
    void minimumIsNext(int at) {
        minimums.set(at);
    }

    /** The unit at a position has its minimum and may be admitted more. */
    void aboveMayFollow(int at) {
        whole.set(at);
    }

    /** Moves to what is next. */
    void settle() {
        if (!above) {
            position = minimums.nextSetBit(0);
            if (position >= 0) {
                return;
            }
            above = true;
        }
        SlotTurns now = turns;
        while (position < units.size() && (now == null || now.isEmpty())) {
            position = whole.nextSetBit(position + 1);
            if (position < 0) {
                position = units.size();
            } else {
                now = new SlotTurns(demands, units.get(position));
            }
        }
        turns = now;
    }

    /** Whether nothing is left. */
    boolean isDone() {
        return above && position >= units.size();
    }

    /** Whether the next is the minimum of a unit. */
    boolean isMinimumNext() {
        return !above;
    }

    /** The next unit. */
    int unit() {
        return units.get(position);
    }

    /** The minimum of the next unit was looked at. */
    void minimumDone(boolean moreMayFollow) {
        minimums.clear(position);
        whole.set(position, moreMayFollow);
    }

    /** The turns of the next unit. */
    SlotTurns turns() {
        SlotTurns now = turns;
        if (now == null) {
            throw new IllegalStateException("the minimum of unit " + unit() + " is next");
        }
        return now;
    }
}
