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
    /** Who ends by then may take what is free now, whatever is set aside for later. */
    private long passBefore;

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
        passBefore = ExpectedEnds.NEVER;
        closed = false;
        why = "";
    }

    /** Whether what is free or could be started covers the amounts. */
    public boolean fits(long[] amounts) {
        return Amounts.cover(left, amounts);
    }

    /** Whether it did before anything was admitted or set aside. */
    public boolean fittedAtFirst(long[] amounts) {
        return Amounts.cover(first, amounts);
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

    /**
     * Whether the amounts take nothing of what is set aside.
     *
     * @param end when their unit should end; {@link ExpectedEnds#NEVER} if that is not known
     */
    public boolean allows(long[] amounts, long end) {
        return !closed && (passes(end) || Amounts.cover(allowed, amounts));
    }

    /**
     * How many of the slots take nothing of what is set aside.
     *
     * @param end when their unit should end; {@link ExpectedEnds#NEVER} if that is not known
     */
    public int allowed(long[] slot, int count, long end) {
        if (closed) {
            return 0;
        }
        return passes(end) ? count : most(allowed, slot, count);
    }

    private boolean passes(long end) {
        return passBefore != ExpectedEnds.NEVER && end <= passBefore;
    }

    /**
     * Slots are admitted.
     *
     * @param end when their unit should end
     */
    public void take(long[] slot, long count, long end) {
        boolean passes = passes(end);
        for (int dimension = 0; dimension < left.length; dimension++) {
            long amount = Amounts.times(count, slot[dimension]);
            left[dimension] = Math.max(0, left[dimension] - amount);
            taken[dimension] = Amounts.sum(taken[dimension], amount);
            if (allowed[dimension] != UNBOUNDED && !passes) {
                allowed[dimension] = Math.max(0, allowed[dimension] - amount);
            }
        }
    }

    /** What is free now and not admitted yet, in place of what the array has. */
    void free(long[] into) {
        for (int dimension = 0; dimension < into.length; dimension++) {
            into[dimension] = Math.max(0, demands.free(dimension) - taken[dimension]);
        }
    }

    /** What is free or could be started and is not admitted yet, in place of what the array has. */
    void left(long[] into) {
        System.arraycopy(left, 0, into, 0, into.length);
    }

    /**
     * Sets amounts aside for a time to come, at which more is free. Others may take what is free now if they end by then,
     * or leave enough for that time.
     *
     * @param rest what the amounts leave of what is free then
     * @param reason for those that are not admitted because of it; the first one counts
     */
    public void setAside(long[] amounts, long atMillis, long[] rest, String reason) {
        boolean first = why.isEmpty();
        for (int dimension = 0; dimension < left.length; dimension++) {
            if (amounts[dimension] > 0) {
                // What is set aside for others before may come out of the same room.
                allowed[dimension] = first ? rest[dimension] : Math.min(allowed[dimension], 0);
            }
        }
        passBefore = Math.min(passBefore, atMillis);
        because(reason);
    }

    /**
     * Sets amounts aside: others may take what is free now and not admitted yet beyond them, in the dimensions that they
     * have.
     *
     * @param reason for those that are not admitted because of it; the first one counts
     */
    public void setAside(long[] amounts, String reason) {
        setAside(amounts, new long[amounts.length], reason);
    }

    /**
     * Sets amounts aside, but nothing that others need who come before.
     *
     * @param before what these need of what is free now and not admitted yet
     * @param reason for those that are not admitted because of it; the first one counts
     */
    public void setAside(long[] amounts, long[] before, String reason) {
        for (int dimension = 0; dimension < left.length; dimension++) {
            long amount = amounts[dimension];
            left[dimension] = rest(left[dimension], amount, before[dimension]);
            if (amount > 0) {
                boolean unbounded = allowed[dimension] == UNBOUNDED;
                long all = unbounded ? Math.max(0, demands.free(dimension) - taken[dimension]) : allowed[dimension];
                // Those who come before may also need workers that are not there yet.
                allowed[dimension] =
                        unbounded ? Math.max(before[dimension], all - amount) : rest(all, amount, before[dimension]);
            }
        }
        // This is needed now, so nobody passes.
        passBefore = Long.MIN_VALUE;
        because(reason);
    }

    private static long rest(long all, long amount, long before) {
        return Math.max(Math.min(all, before), all - amount);
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
