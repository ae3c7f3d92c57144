package io.berth.benchmark.workload;

/**
 * The random generator of all workloads, splitmix64 (Steele, Lea, Flood 2014): the same numbers in each process and
 * language.
 */
public final class SplitMix {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private long state;

    public SplitMix(long seed) {
        state = seed;
    }

    /** A number from 0 to {@code bound - 1}: the upper 31 bits of the next value, modulo the bound. */
    public int next(int bound) {
        state += STEP;
        long mixed = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return (int) (((mixed ^ (mixed >>> 31)) >>> 33) % bound);
    }
}
