package io.berth.policy.rules.placement;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Workers and specs that a placement excludes for single entries, by a rule of the strategy. Entries of one profile with
 * the same exclusions are of one kind, for which the checks look for room once. Confined to the thread of one call.
 */
final class Exclusions {

    /** Of all entries together: 32 MiB. */
    private static final long MAX_BITS = 1L << 28;

    private static final int MAX_REASONS = 10;
    private static final int NONE = -1;
    private static final int[] NOT_NUMBERED = {};

    /** Workers or specs by index, and how many of them by reason. */
    private static final class Excluded {

        private final BitSet indexes = new BitSet();
        private final SortedMap<String, Integer> reasons = new TreeMap<>();

        private void add(int index, String reason) {
            if (!indexes.get(index)) {
                indexes.set(index);
                if (reasons.size() < MAX_REASONS || reasons.containsKey(reason)) {
                    reasons.merge(reason, 1, Integer::sum);
                }
            }
        }
    }

    private record OfEntry(int entry, Excluded workers, Excluded specs) {}

    private record Kind(int profile, BitSet workers, BitSet specs) {}

    private final CheckedEntries entries;
    private final int maxEntries;
    private final List<OfEntry> all = new ArrayList<>();
    private int[] nthOf = {};
    private final List<Kind> kinds = new ArrayList<>();
    /** By place in {@link #all}. */
    private int[] kindOf = NOT_NUMBERED;

    Exclusions(CheckedWorkers workers, CheckedEntries entries) {
        this.entries = entries;
        maxEntries = (int) Math.min(Integer.MAX_VALUE, MAX_BITS / Math.max(Long.SIZE, workers.limit()));
    }

    /** Whether there is memory for the exclusions of one more entry. */
    boolean takes(int entry) {
        return nth(entry) != NONE || all.size() < maxEntries;
    }

    int maxEntries() {
        return maxEntries;
    }

    void addWorker(int entry, int worker, String reason) {
        of(entry).workers.add(worker, reason);
    }

    void addSpec(int entry, int spec, String reason) {
        of(entry).specs.add(spec, reason);
    }

    private OfEntry of(int entry) {
        if (nth(entry) == NONE) {
            int known = nthOf.length;
            if (entry >= known) {
                nthOf = Arrays.copyOf(nthOf, Math.max(entry + 1, known * 2));
                Arrays.fill(nthOf, known, nthOf.length, NONE);
            }
            nthOf[entry] = all.size();
            all.add(new OfEntry(entry, new Excluded(), new Excluded()));
        }
        kindOf = NOT_NUMBERED;
        return all.get(nth(entry));
    }

    private int nth(int entry) {
        return entry < nthOf.length ? nthOf[entry] : NONE;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** How many kinds of entries have exclusions. */
    int kinds() {
        number();
        return kinds.size();
    }

    private void number() {
        if (kindOf.length == all.size()) {
            return;
        }
        Map<Kind, Integer> numbers = new HashMap<>();
        kinds.clear();
        kindOf = new int[all.size()];
        for (int nth = 0; nth < kindOf.length; nth++) {
            OfEntry of = all.get(nth);
            Kind kind = new Kind(entries.profile(of.entry), of.workers.indexes, of.specs.indexes);
            int number = numbers.computeIfAbsent(kind, first -> kinds.size());
            if (number == kinds.size()) {
                kinds.add(kind);
            }
            kindOf[nth] = number;
        }
    }

    /** Number of the kind of an entry, below {@link #kinds}; -1 when it has no exclusions. */
    int kind(int entry) {
        int nth = nth(entry);
        if (nth == NONE) {
            return NONE;
        }
        number();
        return kindOf[nth];
    }

    int profile(int kind) {
        return kinds.get(kind).profile;
    }

    boolean excludesWorker(int kind, int worker) {
        return kinds.get(kind).workers.get(worker);
    }

    boolean excludesSpec(int kind, int spec) {
        return kinds.get(kind).specs.get(spec);
    }

    /** The reasons for an entry, with the number of workers. */
    SortedMap<String, Integer> workers(int entry) {
        int nth = nth(entry);
        return nth == NONE ? Collections.emptySortedMap() : all.get(nth).workers.reasons;
    }

    /** The reasons for an entry, with the number of specs. */
    SortedMap<String, Integer> specs(int entry) {
        int nth = nth(entry);
        return nth == NONE ? Collections.emptySortedMap() : all.get(nth).specs.reasons;
    }
}
