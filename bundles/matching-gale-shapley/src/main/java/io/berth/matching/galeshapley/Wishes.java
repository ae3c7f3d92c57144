package io.berth.matching.galeshapley;

import java.util.Arrays;

/**
 * The workers on which the slots of an entry may be, taken in the order of its preference: larger scores first, then
 * smaller indexes. A heap, because an entry rarely asks more than a few of them.
 */
final class Wishes {

    private int[] workers = new int[16];
    private double[] scores = new double[16];
    private int size;

    /** Only before the first {@link #best}. */
    void add(int worker, double score) {
        if (size == workers.length) {
            workers = Arrays.copyOf(workers, size * 2);
            scores = Arrays.copyOf(scores, size * 2);
        }
        workers[size] = worker;
        scores[size++] = score;
    }

    /** All are added. */
    void order() {
        for (int at = size / 2 - 1; at >= 0; at--) {
            sink(at);
        }
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** The worker that is preferred to all that are left. */
    int best() {
        return workers[0];
    }

    /** Takes the best one away. */
    void dropBest() {
        size--;
        workers[0] = workers[size];
        scores[0] = scores[size];
        sink(0);
    }

    private void sink(int from) {
        int at = from;
        int worker = workers[at];
        double score = scores[at];
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && precedes(workers[child + 1], scores[child + 1], child)) {
                child++;
            }
            if (precedes(worker, score, child)) {
                break;
            }
            workers[at] = workers[child];
            scores[at] = scores[child];
            at = child;
        }
        workers[at] = worker;
        scores[at] = score;
    }

    private boolean precedes(int worker, double score, int other) {
        return score > scores[other] || score == scores[other] && worker < workers[other];
    }
}
