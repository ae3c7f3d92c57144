package io.berth.matching.rebalance;

/**
 * What a move is worth. Both sides are in shares of a worker times milliseconds: a job that moves a slot stands still with
 * all its slots, and the room that is saved counts for a limited time.
 *
 * @param moveMillis how long a job stands still
 * @param paybackMillis how long what is saved counts
 */
record Worth(long moveMillis, long paybackMillis) {

    /**
     * @param jobs what all slots of the jobs that move take, as a share of the worker
     * @param saved the share of the worker that is saved
     */
    boolean pays(double jobs, double saved) {
        return jobs * moveMillis < saved * paybackMillis;
    }
}
