package io.berth.policy.support.distribution;

/** Sums and products of amounts, which are at least 0. What is too large for a number is {@link Long#MAX_VALUE}. */
public final class Amounts {

    private Amounts() {}

    /** The sum of both. */
    public static long sum(long one, long other) {
        long sum = one + other;
        return sum < 0 ? Long.MAX_VALUE : sum;
    }

    /** The amount, so many times. */
    public static long times(long count, long amount) {
        long product = count * amount;
        return Math.multiplyHigh(count, amount) != 0 || product < 0 ? Long.MAX_VALUE : product;
    }

    /** Whether all of the first amounts are at least as large as those of the second argument. */
    public static boolean cover(long[] all, long[] part) {
        for (int dimension = 0; dimension < part.length; dimension++) {
            if (all[dimension] < part[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** Adds the amounts, so many times, to those of the first argument. */
    public static void add(long[] to, long count, long[] amounts) {
        for (int dimension = 0; dimension < to.length; dimension++) {
            to[dimension] = sum(to[dimension], times(count, amounts[dimension]));
        }
    }

    /** The sums of both. */
    public static long[] plus(long[] one, long[] other) {
        long[] sums = one.clone();
        add(sums, 1, other);
        return sums;
    }
}
