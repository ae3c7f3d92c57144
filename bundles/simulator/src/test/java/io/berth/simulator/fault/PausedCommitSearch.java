package io.berth.simulator.fault;

import io.berth.simulator.oracle.Ledger;
import java.util.List;
import java.util.function.Function;

/** Searches a task that commits long after it was replaced; in seeds, a worker is rarely paused at that moment. */
public final class PausedCommitSearch implements Function<long[], String> {

    @Override
    public String apply(long[] ignored) {
        for (long seed : List.of(1L, 2L, 3L)) {
            try {
                WorstBatchTest.commitAfterAPause(seed);
            } catch (Ledger.Violation | AssertionError found) {
                return "scene " + seed + ": " + found.getMessage();
            }
        }
        return "";
    }
}
