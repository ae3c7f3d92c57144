package io.berth.simulator.world;

import java.util.List;

/**
 * Whether policies of a world ask for slots that jobs have. In four of 31 seeds they do, at random, until the world is
 * calm.
 *
 * @param reclaims whether the distribution policy reclaims slots
 * @param givesBack whether the matching strategy gives slots back
 */
public record ReturningWorld(boolean reclaims, boolean givesBack) {

    private static final int EACH = 31;
    /** None of these is the rest of a seed that is kept because of what it found. */
    private static final int RECLAIMS = 10;

    private static final int GIVES_BACK = 20;
    private static final List<Integer> BOTH = List.of(14, 16);

    /** What a seed has. */
    public static ReturningWorld of(long seed) {
        int rest = (int) Math.floorMod(seed, (long) EACH);
        boolean both = BOTH.contains(rest);
        return new ReturningWorld(both || rest == RECLAIMS, both || rest == GIVES_BACK);
    }
}
