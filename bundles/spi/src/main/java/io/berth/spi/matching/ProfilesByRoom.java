package io.berth.spi.matching;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Tells which profiles may fit what is left of a worker, as bits by their number, from two or three rows of a table: for
 * each dimension one row for each coarse amount. A bit may be set for one that does not fit, but not the other way; bits
 * of numbers that nobody has yet are set.
 */
final class ProfilesByRoom {

    /** Coarse amounts of a dimension; the last one is that and all that is more. */
    private static final int STEPS = 256;

    private final int dimensions;
    private final List<long[]> needs = new ArrayList<>();
    private int words = 1;
    /** By dimension, a row of words for each step; null while no profile takes anything of it. */
    private final long[][] rows;

    private final int[] shift;
    /** The most that a worker ever offered, by dimension. */
    private final long[] most;

    private int[] taken = {};

    ProfilesByRoom(int dimensions) {
        this.dimensions = dimensions;
        rows = new long[dimensions][];
        shift = new int[dimensions];
        most = new long[dimensions];
    }

    /** Numbers of 64 profiles are in a word. */
    int words() {
        return words;
    }

    /**
     * Gives a profile the next number.
     *
     * @param amounts of a slot by dimension; none when they depend on the worker
     */
    int add(long[] amounts) {
        int number = needs.size();
        needs.add(amounts);
        boolean grown = number / Long.SIZE >= words;
        words = grown ? words * 2 : words;
        if (coarsen(amounts) || grown) {
            makeAnew();
        } else {
            mark(number);
        }
        return number;
    }

    /** A worker offers so much; it may be more than any before. */
    void offered(FreeRoom room, int worker) {
        boolean more = false;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long total = room.total(worker, dimension);
            more |= total > most[dimension];
            most[dimension] = Math.max(most[dimension], total);
        }
        boolean coarser = false;
        if (more) {
            for (long[] amounts : needs) {
                coarser |= coarsen(amounts);
            }
        }
        if (coarser) {
            makeAnew();
        }
    }

    /** Makes the steps so large that the amounts can be counted in them, unless they are more than any worker offers. */
    private boolean coarsen(long[] amounts) {
        boolean coarser = false;
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            while (amounts[dimension] <= most[dimension] && amounts[dimension] >> shift[dimension] >= STEPS) {
                shift[dimension]++;
                coarser = true;
            }
        }
        return coarser;
    }

    private void makeAnew() {
        Arrays.fill(rows, null);
        for (int number = 0; number < needs.size(); number++) {
            mark(number);
        }
    }

    void clear() {
        needs.clear();
        words = 1;
        taken = new int[0];
        Arrays.fill(rows, null);
        Arrays.fill(shift, 0);
    }

    private void mark(int number) {
        long[] amounts = needs.get(number);
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            if (amounts[dimension] > 0 && rows[dimension] == null) {
                rows[dimension] = new long[STEPS * words];
                Arrays.fill(rows[dimension], -1);
            }
            // What no worker offers is found not to fit by an exact comparison.
            long tooSmall = Math.min(STEPS - 1, amounts[dimension] >> shift[dimension]);
            for (int step = 0; step < tooSmall; step++) {
                rows[dimension][step * words + number / Long.SIZE] &= ~(1L << number);
            }
        }
        int count = 0;
        int[] of = new int[dimensions];
        for (int dimension = 0; dimension < dimensions; dimension++) {
            if (rows[dimension] != null) {
                of[count++] = dimension;
            }
        }
        taken = Arrays.copyOf(of, count);
    }

    /** Those of a word that may fit the worker. */
    long cut(FreeRoom room, int worker, int word) {
        long bits = -1;
        for (int dimension : taken) {
            long step = room.left(worker, dimension) >> shift[dimension];
            int at = (int) Math.max(0, Math.min(STEPS - 1, step));
            bits &= rows[dimension][at * words + word];
        }
        return bits;
    }
}
