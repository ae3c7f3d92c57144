package io.berth.scorecard.check;

import java.util.OptionalInt;

/**
 * What a policy got for a check.
 *
 * @param points of those of the check
 * @param reason why points are lost; empty when none is
 * @param seed of the input for which they are lost; empty when the input is not random
 * @param figure what was measured, or the empty text
 */
public record Mark(Check check, int points, String reason, OptionalInt seed, String figure) {

    /** Whether it got all points. */
    public boolean full() {
        return points == check.points();
    }
}
