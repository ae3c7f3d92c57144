package io.berth.policy.support;

import io.berth.spi.matching.WorkersView;

/**
 * What a new worker of each spec costs. If a cost is not known, all costs are replaced by sizes: the sum of the worker's
 * shares of the largest spec in each dimension.
 */
public final class SpecCosts {

    private final double[] costs;

    /** Reads the specs of the view. */
    public SpecCosts(WorkersView workers) {
        costs = new double[workers.specs()];
        boolean known = true;
        for (int spec = 0; spec < costs.length; spec++) {
            costs[spec] = workers.specCostPerHour(spec);
            known &= costs[spec] > 0;
        }
        if (!known) {
            for (int spec = 0; spec < costs.length; spec++) {
                costs[spec] = size(workers, spec);
            }
        }
    }

    private static double size(WorkersView workers, int spec) {
        double size = 0;
        for (int dimension = 0; dimension < workers.dimensions(); dimension++) {
            long most = 0;
            for (int other = 0; other < workers.specs(); other++) {
                most = Math.max(most, workers.specTotal(other, dimension));
            }
            size += most > 0 ? (double) workers.specTotal(spec, dimension) / most : 0;
        }
        return size;
    }

    /** The cost of one worker; only the proportions mean anything. */
    public double of(int spec) {
        return costs[spec];
    }
}
