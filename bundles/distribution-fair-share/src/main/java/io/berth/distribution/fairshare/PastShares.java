package io.berth.distribution.fairshare;

import io.berth.policy.support.distribution.PoolShares;
import io.berth.policy.support.distribution.TreeAdmission;
import io.berth.spi.distribution.DemandsView;
import io.berth.spi.distribution.QueuesView;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/**
 * How long somebody would have used the whole pool, in seconds, divided by the weight: what was used over time, as the
 * host lets it decay, and what is used now as if it had been for a while. The resource with the largest share counts.
 */
final class PastShares implements TreeAdmission.Standing {

    private static final double SECONDS_OF_HOUR = 3_600;

    private final DemandsView demands;
    private final PoolShares shares;
    private final double presentSeconds;
    private final SortedMap<String, Double> weights;
    /** Of this call. */
    private final Map<Integer, double[]> pastOfQueue = new HashMap<>();

    private final Map<Integer, double[]> pastOfOwn = new HashMap<>();
    private final Map<String, double[]> pastOfSubmitter = new HashMap<>();

    /**
     * @param presentSeconds for so long what is used now counts
     * @param weights of submitters
     */
    PastShares(DemandsView demands, PoolShares shares, double presentSeconds, SortedMap<String, Double> weights) {
        this.demands = demands;
        this.shares = shares;
        this.presentSeconds = presentSeconds;
        this.weights = weights;
    }

    @Override
    public void begin() {
        pastOfQueue.clear();
        pastOfOwn.clear();
        pastOfSubmitter.clear();
    }

    @Override
    public double ofQueue(int queue, boolean own, long[] used) {
        return own
                ? poolSeconds(pastOfOwn(queue), used)
                : poolSeconds(pastOfQueue(queue), used) / demands.queues().weight(queue);
    }

    @Override
    public double ofClaimant(int queue, String name, long[] used) {
        return poolSeconds(pastOfClaimant(queue, name), used) / weights.getOrDefault(name, 1.0);
    }

    /** The past of unknown submitters is not known. They count as all of the queue, or nobody would say who submits. */
    private double[] pastOfClaimant(int queue, String name) {
        return name.isEmpty() ? pastOfOwn(queue) : pastOfSubmitter(name);
    }

    private double poolSeconds(double[] past, long[] used) {
        double most = 0;
        for (int dimension = 0; dimension < past.length; dimension++) {
            most = Math.max(most, shares.share(past[dimension] + used[dimension] * presentSeconds, dimension));
        }
        return most;
    }

    private double[] pastOfQueue(int queue) {
        double[] known = pastOfQueue.get(queue);
        if (known != null) {
            return known;
        }
        double[] past = new double[demands.dimensions()];
        for (int dimension = 0; dimension < past.length; dimension++) {
            past[dimension] = demands.queues().usedSeconds(queue, dimension);
        }
        pastOfQueue.put(queue, past);
        return past;
    }

    private double[] pastOfOwn(int queue) {
        double[] known = pastOfOwn.get(queue);
        if (known != null) {
            return known;
        }
        double[] past = pastOfQueue(queue).clone();
        QueuesView queues = demands.queues();
        for (int below = queue + 1; below < queues.size(); below++) {
            if (queues.parent(below) == queue) {
                for (int dimension = 0; dimension < past.length; dimension++) {
                    past[dimension] = Math.max(0, past[dimension] - queues.usedSeconds(below, dimension));
                }
            }
        }
        pastOfOwn.put(queue, past);
        return past;
    }

    private double[] pastOfSubmitter(String name) {
        double[] known = pastOfSubmitter.get(name);
        if (known != null) {
            return known;
        }
        double[] past = new double[demands.dimensions()];
        for (int dimension = 0; dimension < past.length; dimension++) {
            past[dimension] = demands.queues().usedSeconds(name, dimension);
        }
        pastOfSubmitter.put(name, past);
        return past;
    }

    @Override
    public String words(int queue, String claimant, long[] used) {
        double hours = poolSeconds(pastOfClaimant(queue, claimant), new long[used.length]) / SECONDS_OF_HOUR;
        return (claimant.isEmpty() ? "who names no submitter" : "submitter " + claimant) + " in queue "
                + demands.queues().name(queue) + " has " + shares.words(used)
                + " now and used as much as the whole pool in "
                + String.format(Locale.ROOT, "%.1f h", hours) + "; who used less comes first";
    }
}
