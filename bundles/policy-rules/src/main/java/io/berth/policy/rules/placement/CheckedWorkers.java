package io.berth.policy.rules.placement;

import io.berth.spi.matching.WorkersView;

/** The workers of a decision, as the checks read them. */
public interface CheckedWorkers extends WorkersView {

    /** Writes the free amounts of a worker into an array, from an index on. */
    void copyFree(int worker, long[] to, int at);

    /** Name of a worker, for people; also of one that is not present. */
    String name(int worker);

    /** Name of a spec with its backend, for people. */
    String kind(int spec);
}
