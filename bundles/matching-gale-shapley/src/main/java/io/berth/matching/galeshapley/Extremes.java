package io.berth.matching.galeshapley;

import java.util.Arrays;
import java.util.TreeMap;

/** The smallest and the largest of the numbers of workers that come, change and go. */
final class Extremes {

    private static final double NONE = Double.NaN;

    private final TreeMap<Double, Integer> counts = new TreeMap<>();
    private double[] ofWorker = new double[0];
    private int size;

    void put(int worker, double number) {
        if (worker >= ofWorker.length) {
            int before = ofWorker.length;
            ofWorker = Arrays.copyOf(ofWorker, Math.max(worker + 1, before / 2 * 3));
            Arrays.fill(ofWorker, before, ofWorker.length, NONE);
        }
        if (ofWorker[worker] != number) {
            remove(worker);
            ofWorker[worker] = number;
            counts.merge(number, 1, Integer::sum);
            size++;
        }
    }

    void remove(int worker) {
        if (worker < ofWorker.length && !Double.isNaN(ofWorker[worker])) {
            counts.computeIfPresent(ofWorker[worker], (number, count) -> count == 1 ? null : count - 1);
            ofWorker[worker] = NONE;
            size--;
        }
    }

    /** How many workers there are. */
    int size() {
        return size;
    }

    /** 0 without workers. */
    double least() {
        return counts.isEmpty() ? 0 : counts.firstKey();
    }

    /** 0 without workers. */
    double most() {
        return counts.isEmpty() ? 0 : counts.lastKey();
    }
}
