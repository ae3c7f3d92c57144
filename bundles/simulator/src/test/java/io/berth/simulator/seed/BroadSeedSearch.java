package io.berth.simulator.seed;

/** The same with seeds that look at more cells, and so cause rare messages. */
public final class BroadSeedSearch extends SeedSearch {

    public BroadSeedSearch() {
        super(Plan.all().broadly());
    }
}
