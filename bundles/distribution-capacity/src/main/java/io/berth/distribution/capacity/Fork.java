package io.berth.distribution.capacity;

import io.berth.policy.support.distribution.Amounts;
import io.berth.spi.distribution.DemandsView;

/**
 * Compares where queues stand where their branches and that of a claiming one part. What comes back is given away in that
 * order, so a branch that would be next with less would only get its own again.
 */
final class Fork {

    private final DemandsView demands;
    private final Guarantees guarantees;
    private final int claiming;

    Fork(DemandsView demands, Guarantees guarantees, int claiming) {
        this.demands = demands;
        this.guarantees = guarantees;
        this.claiming = claiming;
    }

    /**
     * Whether the branch of the queue, which is not within the claiming one, comes after that of the claiming one.
     *
     * @param gained by the claiming one
     * @param lost by the branch of the queue
     */
    boolean isAbove(int queue, long[] gained, long[] lost) {
        int of = claimingBranch(queue);
        long[] uses = guarantees.used(of);
        Amounts.add(uses, 1, gained);
        double claims = guarantees.ofQueue(of, false, uses);
        int branch = branch(queue);
        if (branch < 0) {
            return claims < 1;
        }
        long[] left = guarantees.used(branch);
        for (int dimension = 0; dimension < left.length; dimension++) {
            left[dimension] = Math.max(0, left[dimension] - lost[dimension]);
        }
        return guarantees.ofQueue(branch, false, left) > claims;
    }

    private int claimingBranch(int queue) {
        int of = claiming;
        while (!guarantees.isWithin(queue, demands.queues().parent(of))) {
            of = demands.queues().parent(of);
        }
        return of;
    }

    /** The branch of the queue, below where it and that of the claiming one part; -1 when they part at the queue itself. */
    int branch(int queue) {
        int fork = demands.queues().parent(claimingBranch(queue));
        int branch = queue == fork ? -1 : queue;
        while (branch >= 0 && demands.queues().parent(branch) != fork) {
            branch = demands.queues().parent(branch);
        }
        return branch;
    }
}
