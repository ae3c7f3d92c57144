package io.berth.scorecard.check;

import io.berth.testkit.rules.Seeds;
import java.util.List;

/**
 * How thoroughly to check.
 *
 * @param seeds of random inputs
 * @param sizes numbers of workers for which cost is measured, each ten times the previous one
 * @param meter of that cost
 */
public record Settings(Seeds seeds, List<Integer> sizes, Meter meter) {

    public Settings {
        sizes = List.copyOf(sizes);
    }
}
