package io.berth.simulator.replay.measure;

import java.util.Arrays;
import java.util.OptionalDouble;

/** Slots that jobs returned while they ran, and when these jobs end. Times are in milliseconds of the trace. */
public final class Moves {

    /**
     * What it came to.
     *
     * @param slots that moved
     * @param jobs of which slots moved
     * @param standingSeconds in which such jobs did not run, all together
     * @param shortestSeconds between two moves of one job; empty when none moved twice
     */
    public record Figures(long slots, int jobs, double standingSeconds, OptionalDouble shortestSeconds) {}

    private static final long NEVER = Long.MIN_VALUE;

    private final long[] ends;
    private final long[] lastMoved;
    private long slots;
    private int jobs;
    private long standing;
    private long shortest = Long.MAX_VALUE;

    public Moves(int count) {
        ends = new long[count];
        lastMoved = new long[count];
        Arrays.fill(lastMoved, NEVER);
    }

    /** A job starts to run, and ends then if it does not move. */
    public void begins(int job, long endMillis) {
        ends[job] = endMillis;
    }

    /** A job stops and returns slots. */
    public void moves(int job, long nowMillis, int count) {
        slots += count;
        if (lastMoved[job] == NEVER) {
            jobs++;
        } else {
            shortest = Math.min(shortest, nowMillis - lastMoved[job]);
        }
        lastMoved[job] = nowMillis;
    }

    /** A job has other slots. @return when it ends now */
    public long ends(int job, long nowMillis, long moveSeconds) {
        long stood = nowMillis - lastMoved[job] + moveSeconds * 1_000;
        standing += stood;
        ends[job] += stood;
        return ends[job];
    }

    public Figures figures() {
        return new Figures(
                slots,
                jobs,
                standing / 1_000.0,
                shortest == Long.MAX_VALUE ? OptionalDouble.empty() : OptionalDouble.of(shortest / 1_000.0));
    }
}
