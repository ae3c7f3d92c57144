package io.berth.distribution.drf;

import io.berth.policy.support.distribution.Claimants;
import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.spi.distribution.DemandsView;
import java.util.SortedMap;

/** The dominant share of what is used now, divided by the weight. */
final class DominantShares implements TreeAdmission.Standing {

    private final DemandsView demands;
    private final PoolShares shares;
    private final Claimants level;
    private final SortedMap<String, Double> weights;

    /** @param weights of submitters, if these are the claimants */
    DominantShares(DemandsView demands, PoolShares shares, Claimants level, SortedMap<String, Double> weights) {
        this.demands = demands;
        this.shares = shares;
        this.level = level;
        this.weights = weights;
    }

    @Override
    public void begin() {}

    @Override
    public double ofQueue(int queue, boolean own, long[] used) {
        return shares.dominant(used) / (own ? 1 : demands.queues().weight(queue));
    }

    @Override
    public double ofClaimant(int queue, String name, long[] used) {
        return shares.dominant(used) / weights.getOrDefault(name, 1.0);
    }

    @Override
    public String words(int queue, String claimant, long[] used) {
        String who = switch (level) {
            case QUEUES -> "queue " + demands.queues().name(queue);
            case SUBMITTERS -> claimant.isEmpty() ? "who names no submitter" : "submitter " + claimant;
            case JOBS -> "job " + claimant;
        };
        return who + " has " + shares.words(used) + "; smaller dominant shares come first";
    }
}
