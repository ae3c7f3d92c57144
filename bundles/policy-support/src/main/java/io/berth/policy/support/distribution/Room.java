package io.berth.policy.support.distribution;

import io.berth.spi.distribution.DemandsView;
import java.util.Arrays;

/**
 * What one call may still admit, by sums over the whole pool. There are two bounds: what is free or could be started,
 * which is an estimate of what finds room, and what is left when room is set aside for others, which must be kept.
 */
public final class Room {

    private static final long UNBOUNDED = Long.MAX_VALUE;

    private final DemandsView demands;
    private final long[] first;
    private final long[] left;
    private final long[] taken;
    private final long[] allowed;
    private boolean closed;
    private String why = "";

    public Room(DemandsView demands) {
        this.demands = demands;
        int dimensions = demands.dimensions();
        this.first = new long[dimensions];
        this.left = new long[dimensions];
        this.taken = new long[dimensions];
        this.allowed = new long[dimensions];
    }

    /** Starts a call: nothing is admitted, and nothing set aside. */
    public void begin() {
        for (int dimension = 0; dimension < first.length; dimension++) {
            first[dimension] =
                    Amounts.sum(Math.max(0, demands.free(dimension)), Math.max(0, demands.startable(dimension)));
            left[dimension] = first[dimension];
        }
        Arrays.fill(taken, 0);
        Arrays.fill(allowed, UNBOUNDED);
        closed = false;
        why = "";
    }

    /** Whether what is free or could be started covers the amounts. */
    public boolean fits(long[] amounts) {
        return covers(left, amounts);
    }

    /** Whether it did before anything was admitted or set aside. */
    public boolean fittedAtFirst(long[] amounts) {
        return covers(first, amounts);
    }

    private static boolean covers(long[] room, long[] amounts) {
        for (int dimension = 0; dimension < room.length; dimension++) {
            if (amounts[dimension] > room[dimension]) {
                return false;
            }
        }
        return true;
    }

    /** How many of the slots are covered by what is free or could be started. */
    public int fitting(long[] slot, int count) {
        return most(left, slot, count);
    }

    private static int most(long[] room, long[] slot, int count) {
        long most = count;
        for (int dimension = 0; dimension < room.length; dimension++) {
            if (slot[dimension] > 0 && room[dimension] != UNBOUNDED) {
                most = Math.min(most, room[dimension] / slot[dimension]);
            }
        }
        return (int) most;
    }

    /** What the amounts are more than what is free or could be started, in place of what the array has. */
    public void shortage(long[] amounts, long[] into) {
        for (int dimension = 0; dimension < into.length; dimension++) {
            into[dimension] = Math.max(0, amounts[dimension] - left[dimension]);
        }
    }

    /** Whether the amounts take nothing of what is set aside. */
    public boolean allows(long[] amounts) {
        return !closed && covers(allowed, amounts);
    }

    /** How many of the slots take nothing of what is set aside. */
    public int allowed(long[] slot, int count) {
        return closed ? 0 : most(allowed, slot, count);
    }

    /** Slots are admitted. */
    public void take(long[] slot, long count) {
        for (int dimension = 0; dimension < left.length; dimension++) {
            long amount = Amounts.times(count, slot[dimension]);
            left[dimension] = Math.max(0, left[dimension] - amount);
            taken[dimension] = Amounts.sum(taken[dimension], amount);
            if (allowed[dimension] != UNBOUNDED) {
                allowed[dimension] = Math.max(0, allowed[dimension] - amount);
            }
        }
    }

    /**
     * Sets amounts aside: others may take what is free now and not admitted yet beyond them, in the dimensions that they
     * have.
     *
     * @param reason for those that are not admitted because of it; the first one counts
     */
    public void setAside(long[] amounts, String reason) {
        for (int dimension = 0; dimension < left.length; dimension++) {
            long amount = amounts[dimension];
            left[dimension] = Math.max(0, left[dimension] - amount);
            if (amount > 0) {
                long before = allowed[dimension] == UNBOUNDED
                        ? Math.max(0, demands.free(dimension) - taken[dimension])
                        : allowed[dimension];
                allowed[dimension] = Math.max(0, before - amount);
            }
        }
        because(reason);
    }

    /** Nothing more is allowed. */
    public void close(String reason) {
        closed = true;
        why = reason;
    }

    private void because(String reason) {
        if (why.isEmpty()) {
            why = reason;
        }
    }

    /** Why something is not allowed, for people. */
    public String why() {
        return why;
    }
}
