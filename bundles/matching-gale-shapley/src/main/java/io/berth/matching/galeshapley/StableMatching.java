package io.berth.matching.galeshapley;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntUnaryOperator;

/**
 * Deferred acceptance (Gale and Shapley 1962, with several places for each worker) for entries whose slots take the same
 * amounts. Each entry offers its slots to the worker that it likes best; a worker keeps the slots that it prefers, as many
 * as fit, and turns the others away for ever; those are offered to the next worker. The result is stable, and of all
 * stable results the best one for the entries.
 */
final class StableMatching {

    /** What workers prefer. Larger scores are preferred, then smaller indexes. */
    interface Preferences {

        /** How much the worker prefers slots of the entry. */
        double ofWorker(int worker, int entry);
    }

    /** The slots that a worker keeps, in the order of its preference. */
    private static final class Kept {

        private final int capacity;
        private int[] entries = new int[2];
        private int[] counts = new int[2];
        private int size;
        private int total;

        private Kept(int capacity) {
            this.capacity = capacity;
        }
    }

    private final Preferences preferences;
    /** By number of the entry in this matching: its index. */
    private final int[] entries;

    private final int[] left;
    /** By entry, the workers that have not turned it away. */
    private final Wishes[] wishes;

    private final IntUnaryOperator capacity;
    /** Of the workers that were offered something. */
    private final Map<Integer, Kept> keptBy = new TreeMap<>();

    private final Deque<Integer> offering = new ArrayDeque<>();

    /**
     * @param entries indexes of the entries
     * @param counts how many slots each requests
     * @param wishes by entry, the workers on which its slots may be and fit
     * @param capacity how many slots fit on a worker
     */
    StableMatching(int[] entries, int[] counts, Wishes[] wishes, IntUnaryOperator capacity, Preferences preferences) {
        this.entries = entries;
        this.left = counts.clone();
        this.preferences = preferences;
        this.wishes = wishes;
        this.capacity = capacity;
        for (int nth = 0; nth < entries.length; nth++) {
            offering.add(nth);
        }
        match();
    }

    private void match() {
        while (!offering.isEmpty()) {
            int nth = offering.remove();
            while (left[nth] > 0 && !wishes[nth].isEmpty()) {
                int worker = wishes[nth].best();
                Kept kept = keptBy.computeIfAbsent(worker, first -> new Kept(capacity.applyAsInt(first)));
                offer(worker, kept, nth);
                turnAway(worker, kept, nth);
            }
        }
    }

    private void offer(int worker, Kept kept, int nth) {
        double score = preferences.ofWorker(worker, entries[nth]);
        int at = 0;
        while (at < kept.size && precedes(worker, kept.entries[at], score, nth)) {
            at++;
        }
        kept.total += left[nth];
        if (at < kept.size && kept.entries[at] == nth) {
            kept.counts[at] += left[nth];
        } else {
            if (kept.size == kept.entries.length) {
                kept.entries = Arrays.copyOf(kept.entries, kept.size * 2);
                kept.counts = Arrays.copyOf(kept.counts, kept.size * 2);
            }
            System.arraycopy(kept.entries, at, kept.entries, at + 1, kept.size - at);
            System.arraycopy(kept.counts, at, kept.counts, at + 1, kept.size - at);
            kept.entries[at] = nth;
            kept.counts[at] = left[nth];
            kept.size++;
        }
        left[nth] = 0;
    }

    private boolean precedes(int worker, int one, double score, int nth) {
        double its = preferences.ofWorker(worker, entries[one]);
        return its > score || its == score && one < nth;
    }

    private void turnAway(int worker, Kept kept, int offered) {
        while (kept.total > kept.capacity) {
            int last = kept.size - 1;
            int nth = kept.entries[last];
            int away = Math.min(kept.counts[last], kept.total - kept.capacity);
            kept.total -= away;
            kept.counts[last] -= away;
            if (kept.counts[last] == 0) {
                kept.size--;
            }
            left[nth] += away;
            // It is full of slots that it prefers, and stays so: nothing of the entry is offered to it again.
            if (!wishes[nth].isEmpty() && wishes[nth].best() == worker) {
                wishes[nth].dropBest();
            }
            if (nth != offered) {
                offering.add(nth);
            }
        }
    }

    /** How many slots of the entry no worker keeps. */
    int left(int nth) {
        return left[nth];
    }

    /** Receives what workers keep. */
    interface Result {

        /** A worker keeps slots of the entry. */
        void keeps(int worker, int entry, int count);
    }

    /** In the order of the workers, and of what each of them prefers. */
    void tell(Result result) {
        keptBy.forEach((worker, kept) -> {
            for (int at = 0; at < kept.size; at++) {
                result.keeps(worker, entries[kept.entries[at]], kept.counts[at]);
            }
        });
    }
}
