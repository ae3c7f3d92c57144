package io.berth.simulator.fault;

import java.util.function.Function;

/** Looks for jobs that wait for each other on a full cluster; seeds draw that too seldom. */
public final class HeldInVainSearch implements Function<long[], String> {

    @Override
    public String apply(long[] ignored) {
        for (long seed : HeldInVainTest.SEEDS) {
            try {
                HeldInVainTest.loseASharedWorker(seed);
            } catch (AssertionError found) {
                return "scene " + seed + ": " + found.getMessage();
            }
        }
        return "";
    }
}
