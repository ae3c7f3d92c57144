package io.berth.policy.support;

import io.berth.spi.matching.AdmittedView;
import io.berth.spi.matching.WorkersView;

/**
 * What a new worker of each spec costs. If a cost is not known, all costs are replaced by sizes: the sum of the worker's
 * shares of the largest spec in each dimension.
 */
public final class SpecCosts {

    private final WorkersView workers;
    private final double[] costs;

    /** Reads the specs of the view. */
    public SpecCosts(WorkersView workers) {
        this.workers = workers;
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

    /**
     * The cost of as many workers of the spec as slots of an entry need.
     *
     * @return infinite when no slot of the entry may be on such a worker, or is too large for it
     */
    public double of(int spec, AdmittedView admitted, int entry, int slots) {
        long each = admitted.feasibleOnSpec(entry, spec) ? slots : 0;
        for (int dimension = 0; dimension < workers.dimensions() && each > 0; dimension++) {
            long need = admitted.needOnSpec(entry, spec, dimension);
            each = need > 0 ? Math.min(each, workers.specTotal(spec, dimension) / need) : each;
        }
        if (each == 0) {
            return Double.POSITIVE_INFINITY;
        }
        long needed = (slots + each - 1) / each;
        return needed * costs[spec];
    }
}
