package io.berth.simulator.traces;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** Counts information that a trace lacks, and what was left out or assumed because of it. */
public final class Holes {

    private final SortedMap<String, Long> counts = new TreeMap<>();

    /** Counts one more of that kind. */
    public void count(String what) {
        count(what, 1);
    }

    void count(String what, long times) {
        if (times > 0) {
            counts.merge(what, times, Long::sum);
        }
    }

    /** The counts by kind. */
    public SortedMap<String, Long> counts() {
        return Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }
}
