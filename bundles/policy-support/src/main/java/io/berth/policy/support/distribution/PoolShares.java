package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;

/**
 * Amounts as parts of what a pool has and could start. Where it could start any number of workers, what it has counts. A
 * resource that it neither has nor could start has no share.
 */
public final class PoolShares {

    private final DemandsView demands;
    private final double[] total;

    public PoolShares(DemandsView demands) {
        this.demands = demands;
        this.total = new double[demands.dimensions()];
    }

    /** Starts a call: reads what the pool has. */
    public void begin() {
        for (int dimension = 0; dimension < total.length; dimension++) {
            long startable = demands.startable(dimension);
            total[dimension] =
                    (double) demands.capacity(dimension) + (startable == Long.MAX_VALUE ? 0 : (double) startable);
        }
    }

    /** The part of the pool that an amount is; 0 where the pool has nothing. */
    public double share(double amount, int dimension) {
        return total[dimension] > 0 ? amount / total[dimension] : 0;
    }

    /** The largest of the shares. */
    public double dominant(long[] amounts) {
        double dominant = 0;
        for (int dimension = 0; dimension < total.length; dimension++) {
            dominant = Math.max(dominant, share(amounts[dimension], dimension));
        }
        return dominant;
    }

    /** The resource of which the amounts are the largest share; the first one of several. */
    public int dominantDimension(long[] amounts) {
        int dominant = 0;
        for (int dimension = 1; dimension < total.length; dimension++) {
            if (share(amounts[dimension], dimension) > share(amounts[dominant], dominant)) {
                dominant = dimension;
            }
        }
        return dominant;
    }

    /** The largest share for people: {@code 31 % of cpu}. */
    public String words(long[] amounts) {
        int dimension = dominantDimension(amounts);
        return percent(share(amounts[dimension], dimension)) + " of " + demands.dimension(dimension);
    }

    /** A share for people: {@code 31 %}. */
    public static String percent(double share) {
        return Math.round(share * 100) + " %";
    }
}
