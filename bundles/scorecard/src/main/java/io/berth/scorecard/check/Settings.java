package io.berth.scorecard.check;

import io.berth.simulator.replay.ReplayedTrace;
import io.berth.testkit.rules.Seeds;
import java.util.List;
import java.util.Optional;

/**
 * How thoroughly to check.
 *
 * @param seeds of random inputs
 * @param sizes numbers of workers for which cost is measured, each ten times the previous one
 * @param meter of that cost
 * @param trace of jobs that is replayed; empty: none is
 */
public record Settings(Seeds seeds, List<Integer> sizes, Meter meter, Optional<ReplayedTrace> trace) {

    public Settings {
        sizes = List.copyOf(sizes);
    }
}
