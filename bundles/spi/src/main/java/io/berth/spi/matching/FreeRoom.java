package io.berth.spi.matching;

import java.util.Arrays;

/**
 * What is left of the workers while a call places slots: what the view shows, less what this call has placed. Amounts
 * are those of the view.
 */
public final class FreeRoom {

    /** So many dimensions are packed into one number, in 15 bits each, with a bit above that a borrow clears. */
    private static final int PACKED = 4;
    private static final int BITS = 16;
    private static final long MOST = (1L << BITS - 1) - 1;
    private static final long GUARDS = 0x8000_8000_8000_8000L;

    private final WorkersView workers;
    private final int dimensions;
    private final WorkerSet registered = new WorkerSet();
    private final WorkerSet pending = new WorkerSet();
    /** One worker after the other, its dimensions next to each other. */
    private long[] left = new long[64];
    /** For each worker what is left, in coarse steps and rounded up: what does not fit here does not fit. */
    private long[] packed = new long[64];
    private final int[] shift = new int[PACKED];
    private int scale;
    /** Workers of which this call took something. */
    private int[] touched = new int[64];
    private int touchedCount;
    private int[] touchedIn = new int[64];
    private int call = 1;

    FreeRoom(WorkersView workers) {
        this.workers = workers;
        this.dimensions = workers.dimensions();
    }

    /** Whether the worker is there and has registered. */
    public boolean registered(int worker) {
        return registered.contains(worker);
    }

    /** What is left of a worker. */
    public long left(int worker, int dimension) {
        return left[worker * dimensions + dimension];
    }

    /** All that a worker offers. */
    public long total(int worker, int dimension) {
        return workers.total(worker, dimension);
    }

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

    /**
     * Shows what the view shows.
     *
     * @return whether more is left in any dimension than before, or the worker is new; else no profile fits that did not
     */
    boolean reload(int worker) {
        if (!workers.present(worker)) {
            registered.remove(worker);
            pending.remove(worker);
            return false;
        }
        if ((worker + 1) * dimensions > left.length) {
            left = Arrays.copyOf(left, Math.max((worker + 1) * dimensions, left.length * 2));
        }
        if (worker >= packed.length) {
            packed = Arrays.copyOf(packed, Math.max(worker + 1, packed.length * 2));
            touchedIn = Arrays.copyOf(touchedIn, packed.length);
        }
        boolean grown = !registered.contains(worker) && !pending.contains(worker);
        for (int dimension = 0; dimension < dimensions; dimension++) {
            int at = worker * dimensions + dimension;
            long free = workers.free(worker, dimension);
            grown |= free > left[at];
            left[at] = free;
        }
        coarsen(worker);
        pack(worker);
        if (workers.pending(worker)) {
            registered.remove(worker);
            pending.add(worker);
        } else {
            pending.remove(worker);
            registered.add(worker);
        }
        return grown;
    }

    /**
     * Takes slots that a worker has room for. The coarse amounts stay no less than what is left: they were rounded up, and
     * what is taken of them is rounded down.
     *
     * @param of the dimensions of which a slot takes something
     * @param packedNeeds of one slot, by the scale of now
     */
    void take(int worker, int[] of, long[] needs, long packedNeeds, int count) {
        int row = worker * dimensions;
        for (int dimension : of) {
            left[row + dimension] -= needs[dimension] * count;
        }
        packed[worker] -= packedNeeds * count;
        touch(worker);
    }

    void take(int worker, int dimension, long amount) {
        left[worker * dimensions + dimension] -= amount;
    }

    /** Makes the steps so large that the worker's total can be counted in them. */
    private void coarsen(int worker) {
        boolean changed = false;
        for (int dimension = 0; dimension < Math.min(PACKED, dimensions); dimension++) {
            while (workers.total(worker, dimension) >> shift[dimension] >= MOST) {
                shift[dimension]++;
                changed = true;
            }
        }
        if (changed) {
            scale++;
            for (WorkerSet set : new WorkerSet[] {registered, pending}) {
                for (int other = set.next(0); other >= 0; other = set.next(other + 1)) {
                    pack(other);
                }
            }
        }
    }

    private void pack(int worker) {
        long all = 0;
        for (int dimension = 0; dimension < Math.min(PACKED, dimensions); dimension++) {
            long amount = left[worker * dimensions + dimension];
            long steps = (amount + (1L << shift[dimension]) - 1) >> shift[dimension];
            all |= Math.max(0, Math.min(MOST, steps)) << BITS * dimension;
        }
        packed[worker] = all | GUARDS;
    }

    /** Changes when {@link #packedNeeds} are to be made anew. */
    int scale() {
        return scale;
    }

    long packedNeeds(long[] needs) {
        long all = 0;
        for (int dimension = 0; dimension < Math.min(PACKED, dimensions); dimension++) {
            all |= Math.min(MOST, needs[dimension] >> shift[dimension]) << BITS * dimension;
        }
        return all;
    }

    /** False when the needs surely do not fit. */
    boolean mayHold(int worker, long packedNeeds) {
        return (packed[worker] - packedNeeds & GUARDS) == GUARDS;
    }

    /** Takes down that amounts of the worker are others now, in any direction. */
    void changed(int worker) {
        pack(worker);
        touch(worker);
    }

    private void touch(int worker) {
        if (touchedIn[worker] != call) {
            touchedIn[worker] = call;
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, touchedCount * 2);
            }
            touched[touchedCount++] = worker;
        }
    }
}
