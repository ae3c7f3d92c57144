package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;
import java.util.PriorityQueue;

/**
 * The slots that a unit would use above its minimum, which it has or is admitted. The group with the fewest slots is the
 * next one, because groups feed each other.
 */
public final class SlotTurns {

    private final DemandsView demands;
    private final int unit;
    private final int[] has;
    /** Number of slots in the upper half, the group in the lower one. */
    private final PriorityQueue<Long> order = new PriorityQueue<>();

    public SlotTurns(DemandsView demands, int unit) {
        this.demands = demands;
        this.unit = unit;
        this.has = new int[demands.groups(unit)];
        for (int group = 0; group < has.length; group++) {
            has[group] = Math.max(demands.allocated(unit, group), demands.minimum(unit, group));
            enqueue(group);
        }
    }

    private void enqueue(int group) {
        if (has[group] < demands.desired(unit, group)) {
            order.add(((long) has[group] << 32) | group);
        }
    }

    /** Whether no group has a turn. */
    public boolean isEmpty() {
        return order.isEmpty();
    }

    /** The group whose turn it is. */
    public int group() {
        return (int) (order.element() & 0xFFFF_FFFFL);
    }

    /** How many slots the group lacks. */
    public int missing() {
        int group = group();
        return demands.desired(unit, group) - has[group];
    }

    /** How many slots all groups that have turns lack. */
    public long allMissing() {
        long missing = 0;
        for (long one : order) {
            int group = (int) (one & 0xFFFF_FFFFL);
            missing += demands.desired(unit, group) - has[group];
        }
        return missing;
    }

    /** How many slots the group takes, of so many that all groups take together in one turn each; at least 1. */
    public int turn(long slots) {
        return (int) Math.max(1, Math.min(slots / order.size(), missing()));
    }

    /** The group takes slots, at least 1 and at most what it lacks. */
    public void take(int count) {
        int group = group();
        order.remove();
        has[group] += count;
        enqueue(group);
    }

    /** The group has no more turns. */
    public void skip() {
        order.remove();
    }
}
