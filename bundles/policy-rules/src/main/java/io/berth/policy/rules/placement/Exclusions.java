package io.berth.policy.rules.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Workers that a placement excludes for single entries, by a rule of the strategy. Confined to the thread of one call. */
final class Exclusions {

    /** Each one has a bit for each worker. */
    static final int MAX_ENTRIES = 1_000;

    private static final int MAX_REASONS = 10;
    private static final int NONE = -1;

    private record OfEntry(int entry, BitSet workers, SortedMap<String, Integer> reasons) {}

    private final List<OfEntry> all = new ArrayList<>();
    private int[] nthOf = {};

    /** Whether there is room for the exclusions of one more entry. */
    boolean takes(int entry) {
        return nth(entry) != NONE || all.size() < MAX_ENTRIES;
    }

    void add(int entry, int worker, String reason) {
        int nth = nth(entry);
        if (nth == NONE) {
            nth = all.size();
            all.add(new OfEntry(entry, new BitSet(), new TreeMap<>()));
            int known = nthOf.length;
            if (entry >= known) {
                nthOf = Arrays.copyOf(nthOf, Math.max(entry + 1, known * 2));
                Arrays.fill(nthOf, known, nthOf.length, NONE);
            }
            nthOf[entry] = nth;
        }
        OfEntry of = all.get(nth);
        if (!of.workers().get(worker)) {
            of.workers().set(worker);
            if (of.reasons().size() < MAX_REASONS || of.reasons().containsKey(reason)) {
                of.reasons().merge(reason, 1, Integer::sum);
            }
        }
    }

    /** Number of the entry among those with exclusions; -1 when it has none. */
    int nth(int entry) {
        return entry < nthOf.length ? nthOf[entry] : NONE;
    }

    int size() {
        return all.size();
    }

    int entry(int nth) {
        return all.get(nth).entry();
    }

    boolean excludes(int nth, int worker) {
        return all.get(nth).workers().get(worker);
    }

    /** How many workers are excluded for an entry. */
    int workers(int entry) {
        int nth = nth(entry);
        return nth == NONE ? 0 : all.get(nth).workers().cardinality();
    }

    /** The reasons for an entry, with the number of workers. */
    SortedMap<String, Integer> reasons(int entry) {
        int nth = nth(entry);
        return nth == NONE ? Collections.emptySortedMap() : all.get(nth).reasons();
    }
}
