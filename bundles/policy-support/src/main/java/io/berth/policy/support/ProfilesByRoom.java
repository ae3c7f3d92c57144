package io.berth.policy.support;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Finds the profiles that may fit into what is left of a worker, as bits by their number, from two or three rows of a
 * table. For each dimension the table has one row for each coarse amount. A bit may be set for a profile that does not
 * fit, but a profile that fits always has its bit set. Bits of unused numbers are set.
 */
final class ProfilesByRoom {

    /** The number of coarse amounts of a dimension; the last one stands for itself and everything above. */
    private static final int STEPS = 256;

    private final int dimensions;
    private final List<long[]> needs = new ArrayList<>();
    private int words = 1;
    /** By dimension, a row of words for each step; null while no profile takes anything of it. */
    private final long[][] rows;

    private final int[] shift;
    /** The largest amount that a worker ever offered, by dimension. */
    private final long[] most;

    private int[] taken = {};

    ProfilesByRoom(int dimensions) {
        this.dimensions = dimensions;
        rows = new long[dimensions][];
        shift = new int[dimensions];
        most = new long[dimensions];
    }

    /** Each word has the numbers of 64 profiles. */
    int words() {
        return words;
    }

    /**
     * Gives the next number to a profile.
     *
     * @param amounts of a slot by dimension; empty when they depend on the worker
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

    /** Records what a worker offers; it may be more than any worker offered before. */
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

    /**
     * Makes the steps large enough to count the amounts in them, unless the amounts are more than any worker offers.
     */
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
            // An exact comparison rejects what no worker offers.
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

    /** The profiles of a word that may fit on the worker. */
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
