package io.berth.spi.matching;

import java.util.Arrays;

/**
 * What is left of the workers while a call places slots: what the view shows, less what this call has placed. Amounts
 * are those of the view.
 */
public final class FreeRoom {

    private final WorkersView workers;
    private final int dimensions;
    private final WorkerSet registered = new WorkerSet();
    private final WorkerSet pending = new WorkerSet();
    /** One worker after the other, its dimensions next to each other. */
    private long[] left = new long[64];
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

    /** Shows what the view shows. */
    void reload(int worker) {
        if (!workers.present(worker)) {
            registered.remove(worker);
            pending.remove(worker);
            return;
        }
        if ((worker + 1) * dimensions > left.length) {
            left = Arrays.copyOf(left, Math.max((worker + 1) * dimensions, left.length * 2));
        }
        if (worker >= touchedIn.length) {
            touchedIn = Arrays.copyOf(touchedIn, Math.max(worker + 1, touchedIn.length * 2));
        }
        for (int dimension = 0; dimension < dimensions; dimension++) {
            left[worker * dimensions + dimension] = workers.free(worker, dimension);
        }
        if (workers.pending(worker)) {
            registered.remove(worker);
            pending.add(worker);
        } else {
            pending.remove(worker);
            registered.add(worker);
        }
    }

    void take(int worker, int dimension, long amount) {
        left[worker * dimensions + dimension] -= amount;
    }

    void touch(int worker) {
        if (touchedIn[worker] != call) {
            touchedIn[worker] = call;
            if (touchedCount == touched.length) {
                touched = Arrays.copyOf(touched, touchedCount * 2);
            }
            touched[touchedCount++] = worker;
        }
    }
}
