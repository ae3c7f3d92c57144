package io.berth.matching.rebalance;

import java.util.OptionalLong;

/**
 * What a move is worth. Both sides are in shares of a worker times milliseconds: a job that moves a slot stands still with
 * all its slots, and the room that is saved counts for a limited time.
 *
 * @param moveMillis how long a job stands still in all, if it is not known what a rescale costs it
 * @param paybackMillis how long what is saved counts
 */
record Worth(long moveMillis, long paybackMillis) {

    /** Without the slot that it returns, and with the one that it takes. */
    private static final double RESCALES = 2;

    /**
     * What a job loses when one of its slots moves.
     *
     * @param share what all its slots take, as a share of the worker
     * @param lastRescaleMillis what its last rescale cost; empty: not known
     */
    double cost(double share, OptionalLong lastRescaleMillis) {
        return share * (lastRescaleMillis.isPresent() ? RESCALES * lastRescaleMillis.getAsLong() : moveMillis);
    }

    /**
     * @param cost of all jobs that move
     * @param saved the share of the worker that is saved
     */
    boolean pays(double cost, double saved) {
        return cost < saved * paybackMillis;
    }
}
