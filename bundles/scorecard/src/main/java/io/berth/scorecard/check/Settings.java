package io.berth.scorecard.check;

import io.berth.testkit.rules.Seeds;
import java.util.List;

/**
 * How thoroughly to check.
 *
 * @param seeds of random inputs
 * @param sizes numbers of workers for which cost is measured, each ten times the previous one
 */
public record Settings(Seeds seeds, List<Integer> sizes) {

    public Settings {
        sizes = List.copyOf(sizes);
    }
}
