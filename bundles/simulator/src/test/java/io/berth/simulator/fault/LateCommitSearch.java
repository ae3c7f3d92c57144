package io.berth.simulator.fault;

import io.berth.simulator.oracle.Ledger;
import java.util.List;
import java.util.function.Function;

/** Searches a task that commits after it was canceled; in seeds, such a request to commit is rarely late enough. */
public final class LateCommitSearch implements Function<long[], String> {

    @Override
    public String apply(long[] ignored) {
        for (long seed : List.of(1L, 2L, 3L)) {
            try {
                WorstBatchTest.commitAfterTheCancellation(seed);
            } catch (Ledger.Violation | AssertionError found) {
                return "scene " + seed + ": " + found.getMessage();
            }
        }
        return "";
    }
}
