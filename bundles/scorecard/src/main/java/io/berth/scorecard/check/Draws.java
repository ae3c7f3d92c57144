package io.berth.scorecard.check;

import java.util.Random;

/** Random numbers of a seed. Those of seeds that follow each other have nothing in common. */
public final class Draws {

    /** The odd number next to 2^64 divided by the golden ratio. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private Draws() {}

    /** Always the same for the same seed. */
    public static Random of(int seed) {
        long mixed = (seed + 1) * SPREAD;
        return new Random(mixed ^ (mixed >>> 32));
    }
}
