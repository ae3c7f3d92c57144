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
    private int[] taken = {};

    ProfilesByRoom(int dimensions) {
        this.dimensions = dimensions;
        rows = new long[dimensions][];
        shift = new int[dimensions];
    }

    /** Numbers of 64 profiles are in a word. */
    int words() {
        return words;
    }

    int size() {
        return needs.size();
    }

    /**
     * Gives a profile the next number.
     *
     * @param amounts of a slot by dimension; none when they depend on the worker
     */
    int add(long[] amounts) {
        int number = needs.size();
        needs.add(amounts);
        boolean anew = number / Long.SIZE >= words;
        for (int dimension = 0; dimension < amounts.length; dimension++) {
            while (amounts[dimension] >> shift[dimension] >= STEPS) {
                shift[dimension]++;
                anew = true;
            }
        }
        if (anew) {
            words = number / Long.SIZE + 1;
            Arrays.fill(rows, null);
            for (int known = 0; known <= number; known++) {
                mark(known);
            }
        } else {
            mark(number);
        }
        return number;
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
            long tooSmall = amounts[dimension] >> shift[dimension];
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

    /** Takes those out that do not fit the worker; at least those by a word each. */
    void cut(FreeRoom room, int worker, long[] of) {
        for (int dimension : taken) {
            long step = room.left(worker, dimension) >> shift[dimension];
            int at = (int) Math.max(0, Math.min(STEPS - 1, step)) * words;
            long[] row = rows[dimension];
            for (int word = 0; word < of.length; word++) {
                of[word] &= row[at + word];
            }
        }
    }
}
