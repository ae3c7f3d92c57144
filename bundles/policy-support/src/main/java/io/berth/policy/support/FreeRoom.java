package io.berth.policy.support;

import io.berth.spi.matching.WorkersView;
import java.util.Arrays;

/**
 * What is left of the workers while a call places slots: what the view shows, minus what this call has placed. The
 * units of the amounts are those of the view.
 */
public final class FreeRoom {

    private final WorkersView workers;
    private final int dimensions;
    private final WorkerSet registered = new WorkerSet();
    private final WorkerSet pending = new WorkerSet();
    /** The dimensions of one worker next to each other, worker after worker. */
    private long[] left = new long[64];
    /** All that the workers offer, in the same order. */
    private long[] total = new long[64];
    /** Workers that this call took something from. */
    private int[] touched = new int[64];

    private int touchedCount;
    /** By worker, the call that took something from it, and next to it its revision. */
    private int[] marks = new int[128];

    private boolean relabeled;
    private boolean unchanged;
    private int call = 1;
    /** Grows with each change of what is left of a worker. */
    private long changes;

    FreeRoom(WorkersView workers) {
        this.workers = workers;
        this.dimensions = workers.dimensions();
    }

    /** Whether the worker is present and has registered. */
    public boolean registered(int worker) {
        return registered.contains(worker);
    }

    /** What is left of a worker. */
    public long left(int worker, int dimension) {
        return left[worker * dimensions + dimension];
    }

    /** All that a worker offers. */
    public long total(int worker, int dimension) {
        return total[worker * dimensions + dimension];
    }

    /** The largest used share of a dimension of a worker, from 0 to 1. */
    double used(int worker) {
        double most = 0;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            double share = used(worker, dimension);
            // Less work than Math.max, which also orders zeros and what is no number.
            if (share > most) {
                most = share;
            }
        }
        return most;
    }

    private double used(int worker, int dimension) {
        long offered = total(worker, dimension);
        long used = offered - left(worker, dimension);
        return used > 0 && offered > 0 ? (double) used / offered : 0;
    }

    /** The dimension of which the largest share of a worker is used. */
    int fullest(int worker) {
        int fullest = 0;
        double most = -1;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            double share = used(worker, dimension);
            if (share > most) {
                most = share;
                fullest = dimension;
            }
        }
        return fullest;
    }

    /** The number of dimensions, as in the view. */
    public int dimensions() {
        return dimensions;
    }

    WorkerSet registered() {
        return registered;
    }

    WorkerSet pending() {
        return pending;
    }

    WorkersView workers() {
        return workers;
    }

    /** The same number later says that each worker has as much left as now. */
    long changes() {
        return changes;
    }

    void begin() {
        touchedCount = 0;
        call++;
    }

    int touched() {
        return touchedCount;
    }

    int touched(int nth) {
        return touched[nth];
    }

    /** Whether the amounts of the worker are those of the call, not those of the view. */
    boolean isTouched(int worker) {
        return marks[2 * worker] == call;
    }

    /**
     * Loads the amounts that the view shows.
     *
     * @return whether the worker has more left in any dimension than before, or is new, or has just registered, or has
     *     other labels; otherwise no further profile fits on it
     */
    boolean reload(int worker) {
        changes++;
        relabeled = false;
        unchanged = false;
        if (!workers.present(worker)) {
            remove(worker);
            return false;
        }
        if (2 * worker >= marks.length || (worker + 1) * dimensions > left.length) {
            makeRoom(worker);
        }
        WorkerSet kind = workers.pending(worker) ? pending : registered;
        // With other labels, other slots may be on it.
        int revision = workers.revision(worker);
        relabeled = marks[2 * worker + 1] != revision;
        marks[2 * worker] = 0;
        marks[2 * worker + 1] = revision;
        boolean isNew = relabeled || !kind.contains(worker);
        boolean grown = loadAmounts(worker) || isNew;
        unchanged &= !isNew;
        if (grown) {
            (kind == pending ? registered : pending).remove(worker);
            kind.add(worker);
        }
        return grown;
    }

    private void remove(int worker) {
        if (2 * worker < marks.length) {
            marks[2 * worker] = 0;
        }
        registered.remove(worker);
        pending.remove(worker);
    }

    private void makeRoom(int worker) {
        // At first all workers of the view are loaded, later one joins them now and then.
        int needed = Math.max(worker + 1, workers.limit());
        if (needed * dimensions > left.length) {
            left = Arrays.copyOf(left, Math.max(needed * dimensions, left.length / 2 * 3));
            total = Arrays.copyOf(total, left.length);
        }
        if (2 * needed > marks.length) {
            marks = Arrays.copyOf(marks, Math.max(2 * needed, marks.length / 2 * 3));
        }
    }

    /** Returns whether more is left than before, and sets whether anything is other than before. */
    private boolean loadAmounts(int worker) {
        boolean grown = false;
        boolean same = true;
        int row = worker * dimensions;
        for (int dimension = 0; dimension < dimensions; dimension++) {
            long free = workers.free(worker, dimension);
            long offered = workers.total(worker, dimension);
            grown |= free > left[row + dimension];
            same &= free == left[row + dimension] && offered == total[row + dimension];
            left[row + dimension] = free;
            total[row + dimension] = offered;
        }
        unchanged = same;
        return grown;
    }

    /** Whether the last {@link #reload} found what was known: the worker has what this session placed on it before. */
    boolean isUnchanged() {
        return unchanged;
    }

    /** Whether the last {@link #reload} found other labels. */
    boolean isRelabeled() {
        return relabeled;
    }

    /**
     * Takes slots. The worker must have room for them.
     *
     * @param of the dimensions in which a slot takes something
     * @param needs of one slot
     */
    void take(int worker, int[] of, long[] needs, int count) {
        changes++;
        int row = worker * dimensions;
        for (int dimension : of) {
            left[row + dimension] -= needs[dimension] * count;
        }
        touch(worker);
    }

    void take(int worker, int dimension, long amount) {
        changes++;
        left[worker * dimensions + dimension] -= amount;
    }

    /** Records that this call changed amounts of the worker. */
    void touch(int worker) {
        if (marks[2 * worker] != call) {
            marks[2 * worker] = call;
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, touchedCount * 2);
            }
            touched[touchedCount++] = worker;
        }
    }
}
