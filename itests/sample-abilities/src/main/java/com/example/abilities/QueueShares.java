package com.example.abilities;

import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What queues and units use for their weights, with what a decision adds. Two units are compared where their ways from
 * the root part: two queues there have weights, and units of one queue have equal ones.
 */
final class QueueShares {

    static final int HEAP = 1;

    private final DemandsView demands;
    private final QueuesView queues;
    private final double[] byQueue;
    private final double[] byUnit;
    /** The largest slot. */
    private double slot;

    QueueShares(DemandsView demands) {
        this.demands = demands;
        queues = demands.queues();
        byQueue = new double[queues.size()];
        byUnit = new double[demands.limit()];
        for (int queue = 0; queue < byQueue.length; queue++) {
            byQueue[queue] = queues.used(queue, HEAP);
        }
        for (int unit = 0; unit < byUnit.length; unit++) {
            if (demands.present(unit)) {
                byUnit[unit] = demands.used(unit, HEAP);
                slot = Math.max(slot, demands.amount(unit, 0, HEAP));
            }
        }
    }

    void add(int unit, long amount) {
        byUnit[unit] += amount;
        way(unit).forEach(queue -> byQueue[queue] += amount);
    }

    /** Negative if the first has the smaller share with one more slot. */
    int compare(int one, int other) {
        int mine = branch(one, other);
        int theirs = branch(other, one);
        int byShare = Double.compare((used(mine) + slot) / weight(mine), (used(theirs) + slot) / weight(theirs));
        if (byShare != 0 || mine >= 0 || theirs >= 0) {
            return byShare != 0 ? byShare : Integer.compare(mine, theirs);
        }
        int byAge = Long.compare(demands.submissionIndex(one), demands.submissionIndex(other));
        return byAge != 0 ? byAge : Integer.compare(one, other);
    }

    /** Whether the first has the smaller share. */
    boolean hasLess(int one, int other) {
        int mine = branch(one, other);
        int theirs = branch(other, one);
        return used(mine) * weight(theirs) < used(theirs) * weight(mine);
    }

    /** Whether the share of the first is at most that of the other one when it has taken so much from it. */
    boolean mayTake(int one, int other, long amount) {
        int mine = branch(one, other);
        int theirs = branch(other, one);
        return (used(mine) + amount) * weight(theirs) <= (used(theirs) - amount) * weight(mine);
    }

    /** The first queue on the way of a unit that is not on that of the other one; without one, {@code ~unit}. */
    private int branch(int unit, int other) {
        List<Integer> way = way(unit);
        List<Integer> others = way(other);
        for (int at = 0; at < way.size(); at++) {
            if (at == others.size() || !way.get(at).equals(others.get(at))) {
                return way.get(at);
            }
        }
        return ~unit;
    }

    /** The queues from the root to that of the unit. */
    private List<Integer> way(int unit) {
        List<Integer> way = new ArrayList<>();
        for (int queue = queues.find(demands.queue(unit)); queue >= 0; queue = queues.parent(queue)) {
            way.add(queue);
        }
        Collections.reverse(way);
        return way;
    }

    private double used(int branch) {
        return branch < 0 ? byUnit[~branch] : byQueue[branch];
    }

    private double weight(int branch) {
        return branch < 0 ? 1 : queues.weight(branch);
    }
}
