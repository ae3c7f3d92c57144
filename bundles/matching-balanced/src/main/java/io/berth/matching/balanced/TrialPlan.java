package io.berth.matching.balanced;

import io.berth.spi.matching.PlacementBuilder;
import java.util.Arrays;

/** Keeps a placement until it is known whether everything found room on workers that are there. */
final class TrialPlan implements PlacementBuilder {

    private final int limit;
    private int[] runs = new int[3 * 64];
    private int size;
    private boolean complete = true;

    /** @param limit of the workers' indexes */
    TrialPlan(int limit) {
        this.limit = limit;
    }

    /** Whether nothing was left over and no new worker was requested. */
    boolean isComplete() {
        return complete;
    }

    /** Makes the same calls on another plan. */
    void repeat(PlacementBuilder plan) {
        for (int at = 0; at < size; at += 3) {
            plan.place(runs[at], runs[at + 1], runs[at + 2]);
        }
    }

    @Override
    public void place(int entry, int worker, int count) {
        if (size == runs.length) {
            runs = Arrays.copyOf(runs, size * 2);
        }
        runs[size++] = entry;
        runs[size++] = worker;
        runs[size++] = count;
    }

    @Override
    public int open(int spec) {
        complete = false;
        return limit;
    }

    @Override
    public void unplaced(int entry, String reason) {
        complete = false;
    }

    @Override
    public void leaveOut(int entry, String reason) {
        complete = false;
    }

    @Override
    public void reserve(int entry, int worker, int count) {
        complete = false;
    }

    @Override
    public void exclude(int entry, int worker, String reason) {
        // The placement that is tried has no filter.
    }

    @Override
    public void giveBack(int allocation, String reason) {
        // The placement that is tried does not use allocations.
    }

    @Override
    public void reviewAfter(long millis) {
        // The placement that is tried does not depend on time.
    }
}
