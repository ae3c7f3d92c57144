package io.berth.simulator.fault;

import java.util.function.Function;

/** Searches jobs that wait for each other on a full cluster; seeds rarely draw that. */
public final class DeadlockSearch implements Function<long[], String> {

    @Override
    public String apply(long[] ignored) {
        for (long seed : DeadlockTest.SEEDS) {
            try {
                DeadlockTest.loseASharedWorker(seed);
            } catch (AssertionError found) {
                return "scene " + seed + ": " + found.getMessage();
            }
        }
        return "";
    }
}
