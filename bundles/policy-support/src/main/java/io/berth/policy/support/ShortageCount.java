package io.berth.policy.support;

import io.berth.spi.matching.WorkersView;

/**
 * Why a slot finds no worker, in words, from a look at each worker. Who counts looks at a thousand workers at most, because
 * a reason must not cost a scan of the pool.
 */
public final class ShortageCount {

    private static final int MAX_COUNT = 1_000;

    private final WorkersView workers;
    /** By dimension, how many workers lack it. */
    private final int[] lacking;

    private int looked;
    private int infeasible;

    /** Nothing is counted yet. */
    public ShortageCount(WorkersView workers) {
        this.workers = workers;
        lacking = new int[workers.dimensions()];
    }

    /** Whether no further worker is to be counted. */
    public boolean isFull() {
        return looked == MAX_COUNT;
    }

    /** Counts a worker that constraints exclude. */
    public void infeasible() {
        looked++;
        infeasible++;
    }

    /** Counts a worker that may have the slot; {@link #lacks} follows. */
    public void feasible() {
        looked++;
    }

    /** The worker that was counted last has too little of a dimension. */
    public void lacks(int dimension) {
        lacking[dimension]++;
    }

    /**
     * The dimension that most workers lack, and how many workers constraints exclude.
     *
     * @param all how many workers there are, with those that were not counted
     */
    public String text(int all) {
        if (all == 0) {
            return "there is no worker";
        }
        int worst = 0;
        for (int dimension = 1; dimension < lacking.length; dimension++) {
            worst = lacking[dimension] > lacking[worst] ? dimension : worst;
        }
        String among = " of " + (looked < all ? "the first " + looked + " of " : "") + all + " workers";
        String excluded = infeasible == 0 ? "" : infeasible + among + " are excluded by constraints";
        if (infeasible == looked) {
            return excluded;
        }
        String little = lacking[worst] + among + " have too little " + workers.dimension(worst);
        return excluded.isEmpty() ? little : excluded + ", " + little;
    }
}
